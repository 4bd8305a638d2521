import { readFileSync } from 'node:fs';

/** Returns the URL of a file of this package. Sources and bundles are two folders below its root. */
export const packageFile = (path: string): URL => new URL(`../../${path}`, import.meta.url);

const readPackage = (): { readonly version: string; readonly homepage: string } =>
  JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));

export const packageVersion = (): string => readPackage().version;

/** Returns the web address of the documents. */
export const packageHomepage = (): string => readPackage().homepage;
