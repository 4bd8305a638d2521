/** Escapes text for a regular expression. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Escapes text for HTML and XML, attributes included. */
export const escapeMarkup = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Formats a count with its noun: `1 request`, `2 requests`. */
export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
