import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// The bundles have another module in place of this one (scripts/package-files.js), with the files as modules. So they are there wherever
// the package is: in an archive, or in the one file that a bundler makes of a program.

/** Sources are three folders below the root of the package. */
const inPackage = (path: string): string => join(import.meta.dirname, '../../..', path);

export const readText = (path: string): string => readFileSync(inPackage(path), 'utf8');

export const readBytes = (path: string): Uint8Array<ArrayBuffer> => readFileSync(inPackage(path));

/** Reads the texts of the files in a folder of this package, by name. */
export const readFolder = (path: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(inPackage(path))
      .sort()
      .map((name) => [name, readText(`${path}/${name}`)]),
  );

/** Finds a file of this package for other programs. Returns undefined in one file, and in an archive of Plug'n'Play. */
export function findFile(path: string): string | undefined {
  const found = inPackage(path);
  return process.versions.pnp === undefined && existsSync(found) ? found : undefined;
}
