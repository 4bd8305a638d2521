import { readText } from './package-files.js';

const { version, homepage }: { readonly version: string; readonly homepage: string } = JSON.parse(
  readText('package.json'),
);

export const packageVersion = (): string => version;

/** Returns the web address of the documents. */
export const packageHomepage = (): string => homepage;
