interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
type Packages = Readonly<Record<string, LockedPackage>>;

export function findMissing(packages: Packages): { parent: string; name: string; version: string }[];
export function complete(packages: Packages): Packages;
