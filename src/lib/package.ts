import { readFileSync } from 'node:fs';

/** Returns the URL of a file of this package. Sources and bundles are two folders below its root. */
export const packageFile = (path: string): URL => new URL(`../../${path}`, import.meta.url);

export function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  return version;
}
