export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Writes control characters, which a terminal would obey, as JSON does. Tabs and line breaks stay. */
export const escapeControls = (text: string): string =>
  text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it replaces
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Escapes text for HTML and XML, attributes included. */
export const escapeMarkup = (text: string): string =>
  escapeControls(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Formats a count with its noun: `1 request`, `2 requests`. */
export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Begins a sentence about a number: `there was 1`, `there were 2`. */
export const thereWere = (count: number): string => `there ${count === 1 ? 'was' : 'were'} ${count}`;

/**
 * Breaks a line between words, so that each has at most `width` characters if its words allow it.
 * @param indent the start of each line after the first
 */
export function wrapLine(line: string, width: number, indent = ''): string {
  if (line.length <= width) return line;
  const fitting = line.lastIndexOf(' ', width);
  const end = fitting > indent.length ? fitting : line.indexOf(' ', indent.length + 1);
  if (end < 0) return line;
  return `${line.slice(0, end).trimEnd()}\n${wrapLine(indent + line.slice(end).trimStart(), width, indent)}`;
}

/** Cuts a text to a number of characters, of which the last one shows the cut. */
export const cutText = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

/** Writes a name of several words as a flag: `defaultPrivacy` becomes `default-privacy`. */
export const toKebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
