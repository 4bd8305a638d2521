import { didYouMean, joinAlternatives } from '../../../../src/engine/lib/messages.js';

// The grammar of actions: `fail [STATUS] [next COUNT] [ROUTE]` has a verb, words in capitals for values, and keywords before some.

/** What a word in capitals stands for. */
export interface Kind {
  /** In messages: `a duration such as 2s`. */
  readonly expected: string;
  /** Returns the value as the emulator spells it. Undefined for another text. */
  readonly read: (text: string) => string | undefined;
  /** The values that are suggested. */
  readonly list: () => readonly string[];
}
export type Kinds = Readonly<Record<string, Kind>>;
/** The values of an action, by keyword; without one, by the word in capitals in lower case. */
export type Values = Readonly<Record<string, string | undefined>>;

export interface Action {
  /** `fork [NAME] [at COMMIT]`; values in brackets are optional, and stand in any order. */
  readonly usage: string;
  /** Says what will happen. */
  readonly says: (values: Values) => string;
  readonly run?: (values: Values) => unknown;
  /** In place of `run`: does it, and returns how to take it back. */
  readonly runWithUndo?: (values: Values) => Promise<() => Promise<unknown>>;
}

export interface Understood {
  /** Undefined if the text is not a complete action. */
  readonly action?: Action;
  readonly values: Values;
  /** What is wrong or missing, and what would be right. */
  readonly problem?: string;
  /** Whole texts that complete it. */
  readonly completions: readonly string[];
  /** The form of the action, once its verb is typed. */
  readonly usage?: string;
}

interface Slot {
  readonly name: string;
  readonly keyword: string | undefined;
  readonly kind: Kind;
  readonly isOptional: boolean;
}

/** Words that a value can have: `POST /v1/vals` has two. */
const MAX_WORDS = 2;
/** Values of a slot that are suggested before the first letter of one, and in all. */
const SUGGESTED = 2;
const MAX_SUGGESTED = 8;

export const verbOf = ({ usage }: Action): string => usage.split(' ', 1)[0] ?? '';

function readSlots(action: Action, kinds: Kinds): Slot[] {
  const form = action.usage.slice(verbOf(action).length);
  return [...form.matchAll(/(\[?)(?:\b([a-z]+) )?\b([A-Z]+)\b/g)].map(([, bracket, keyword, word = '']) => {
    const kind = kinds[word];
    if (!kind) throw new Error(`no kind ${word}`);
    return { name: keyword ?? word.toLowerCase(), keyword, kind, isOptional: bracket !== '' };
  });
}

const quote = (value: string, { read }: Kind): string =>
  /\s/.test(value) && !(read(value) !== undefined && value.split(' ').length <= MAX_WORDS) ? `"${value}"` : value;

const describe = ({ keyword, kind }: Slot): string =>
  keyword === undefined ? kind.expected : `"${keyword}" and ${kind.expected}`;

/** The texts that a slot can begin with. */
function suggest({ keyword, kind }: Slot): string[] {
  const before = keyword === undefined ? '' : `${keyword} `;
  const values = kind.list().map((value) => before + quote(value, kind));
  return values.length === 0 && keyword !== undefined ? [before] : values;
}

/** Reads the value of a slot from the beginning of words. Returns it with the number of its words; undefined if they are another. */
function readSlot({ keyword, kind }: Slot, words: readonly string[]) {
  const start = keyword === undefined ? 0 : 1;
  if (keyword !== undefined && words[0]?.toLowerCase() !== keyword) return undefined;
  for (let count = Math.min(MAX_WORDS, words.length - start); count > 0; count--) {
    const value = kind.read(words.slice(start, start + count).join(' '));
    if (value !== undefined) return { value, count: start + count };
  }
  return undefined;
}

/** Understands a text as an action, as far as it goes. */
export function understand(text: string, actions: readonly Action[], kinds: Kinds): Understood {
  const tokens = [...text.matchAll(/"([^"]*)"?|\S+/g)];
  const words = tokens.map(([word, quoted]) => quoted ?? word);
  const [verb = '', ...rest] = words;
  const action = actions.find((each) => verbOf(each) === verb.toLowerCase());
  if (!action) return { values: {}, completions: [] };
  const { usage } = action;
  let open = readSlots(action, kinds);
  const values: Record<string, string> = {};
  let done = 0;
  let named: Slot | undefined;
  while (done < rest.length) {
    const left = rest.slice(done);
    const [word = ''] = left;
    named = open.find(({ keyword }) => keyword === word.toLowerCase());
    const slot = named ?? open.find((each) => each.keyword === undefined && readSlot(each, left));
    const read = slot && readSlot(slot, left);
    if (!slot || !read) break;
    values[slot.name] = read.value;
    done += read.count;
    open = open.filter((each) => each !== slot);
  }
  const [next] = tokens.slice(done + 1);
  const typed = next ? text.slice(next.index).trimEnd() : '';
  const kept = next ? text.slice(0, next.index) : `${text.trimEnd()} `;
  const suggested = open.map(suggest);
  const completions = (
    typed === ''
      ? suggested.flatMap((each) => each.slice(0, open.length === 1 ? MAX_SUGGESTED : SUGGESTED))
      : suggested.flat().filter((each) => each.toLowerCase().startsWith(typed.toLowerCase()))
  )
    .slice(0, MAX_SUGGESTED)
    .map((each) => kept + each);
  if (typed !== '') {
    const expected = open.length === 0 ? 'nothing more' : joinAlternatives((named ? [named] : open).map(describe));
    const hint = didYouMean(typed, suggested.flat());
    const problem = `${verbOf(action)}: found "${typed}"; expected ${expected}.${hint}`;
    return { usage, values, completions, ...(completions.length === 0 && { problem }) };
  }
  const missing = open.find(({ isOptional }) => !isOptional);
  if (missing) return { usage, values, completions, problem: `${verbOf(action)} takes ${describe(missing)}.` };
  return { usage, action, values, completions };
}
