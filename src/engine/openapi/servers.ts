/**
 * Describes the addresses of an emulator for an OpenAPI document.
 * @param base URL of the emulator, with a sandbox or without
 * @param origin URL of the emulator, without a sandbox
 */
export const describeServers = (base: string, origin: string) => [
  { url: base, description: base === origin ? 'The emulator' : 'A sandbox of the emulator' },
  {
    url: '{url}/_sandbox/{sandbox}',
    description: 'A sandbox of the emulator by its name: 1–64 of A–Z a–z 0–9 . _ -',
    // Without descriptions: orval 7 takes them for an error.
    variables: { url: { default: origin }, sandbox: { default: 'demo' } },
  },
];
