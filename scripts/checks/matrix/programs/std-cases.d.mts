/** The cases by name. */
export declare const cases: Readonly<Record<string, (std: object) => Promise<void>>>;
export declare function runCase(
  name: string,
  std: object,
  useEmulator: (options: {
    readonly url: string;
    readonly fixtures: { readonly users: readonly { readonly username: string }[] };
    readonly user: string;
    readonly title: string;
  }) => Promise<{ close(): Promise<void> }>,
  url: string,
): Promise<void>;
