export function install(folder: string): void;
export function requireFrom(folder: string): NodeJS.Require;
export function listFolders(): string[];
