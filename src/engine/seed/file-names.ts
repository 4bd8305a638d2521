/** Whether a file of this name is read when a folder is loaded. */
export const isFixtureFile = (name: string): boolean => /^[^.].*\.jsonc?$/i.test(name);

/** Whether a file of this name has code, which only its own option runs. */
export const isModuleFile = (name: string): boolean => /\.[cm]?[jt]sx?$/i.test(name);
