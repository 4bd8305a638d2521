/** The digit of each letter from A to Z: letters that sound alike have the same one, and vowels have none. */
const DIGITS = '01230120022455012623010202';

/** Returns the sound of a word in English, as SQLite's `soundex()` does, which this build of it lacks. */
export function soundex(word: string): string {
  const start = /[a-z]/i.exec(word);
  if (!start) return '?000';
  let sound = start[0].toUpperCase();
  let last = '';
  for (const byte of Buffer.from(word.slice(start.index))) {
    // Of a byte beyond ASCII, SQLite takes the lower seven bits.
    const letter = String.fromCharCode(byte & 0x7f).toUpperCase();
    const digit = DIGITS[letter.charCodeAt(0) - 65] ?? '0';
    if (digit !== '0' && digit !== last && last !== '') sound += digit;
    last = digit;
    if (sound.length === 4) break;
  }
  return sound.padEnd(4, '0');
}
