import { escapePattern } from '#engine/lib/text.js';

/** What a terminal sends before and after pasted text, once it is asked to. Source: xterm, bracketed paste mode. */
const START = '\u001b[200~';
const END = '\u001b[201~';
const PASTE = new RegExp(`${escapePattern(START)}.*?${escapePattern(END)}`, 'gs');

/** Switches the marks of pasted text on or off. */
export const markPastes = (isOn: boolean): string => `\u001b[?2004${isOn ? 'h' : 'l'}`;

/** Control characters, which a terminal in raw mode sends as keys. */
export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';
export const CTRL_Z = '\u001a';
const CONTROLS = [CTRL_C, CTRL_D, CTRL_Z];

/** Creates a function that returns the typed keys of the text of a read, without pasted text. */
export function createKeyReader(): (text: string) => readonly string[] {
  /** The mark of a paste whose end has not arrived, with the characters in which that may begin. */
  let open = '';
  return (text) => {
    // A lone control character is a key, also if the end of a paste was lost.
    const joined = (CONTROLS.includes(text) ? text : open + text).replaceAll(PASTE, '');
    const [typed = '', ...pasted] = joined.split(START);
    open = pasted.length === 0 ? '' : START + pasted.join('').slice(1 - END.length);
    const keys = [...typed];
    // Other terminals do not mark a paste, but send it at once.
    return [...text].length === 1 ? keys : keys.filter((key) => CONTROLS.includes(key));
  };
}
