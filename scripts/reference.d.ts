/** Writes the files of the page. @param folder default: `dist/reference` */
export declare function copyReference(folder?: string): void;
