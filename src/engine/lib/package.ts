import { readText } from './package-files.js';

const readPackage = (): { readonly version: string; readonly homepage: string } => JSON.parse(readText('package.json'));

export const packageVersion = (): string => readPackage().version;

/** Returns the web address of the documents. */
export const packageHomepage = (): string => readPackage().homepage;
