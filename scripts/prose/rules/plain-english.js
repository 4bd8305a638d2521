import { MOST_WORDS, WORDS } from '../words.js';

const PATTERNS = Object.entries(WORDS).map(([words, instead]) => [new RegExp(`\\b(?:${words})\\b`, 'gi'), instead]);
/** A full stop before a capital or an item of a list, an empty line, or a tag of a doc comment. */
const SENTENCE_END = /[.!?:]["')\]]*\s+(?=(?:- )?["'([]?[A-Z_`])|[.!?:]\s*$|\n\s*\n|@\w+/g;

/** Names in a list, without articles or punctuation: data, not a sentence. */
const WORD_LIST = /^(?!.*\b(?:a|and|in|is|of|or|the|to)\b)[a-z\s]+$/is;

/**
 * Reports words of the list and sentences that are too long.
 * A comment with "prose-allow" permits both on its line and in the block below it.
 */
export default function plainEnglish({ Syntax, RuleError, report, locator, getSource }) {
  const lines = [];

  function check(node) {
    if (lines.length === 0) lines.push(...getSource().split('\n'));
    const text = readable(node);
    const complain = (start, end, message) => {
      const line = node.loc.start.line + text.slice(0, start).split('\n').length - 1;
      if (isAllowed(lines, line)) return;
      report(node, new RuleError(message, { padding: locator.range([start, end]) }));
    };
    for (const [pattern, instead] of PATTERNS) {
      for (const { 0: word, index } of text.matchAll(pattern)) {
        complain(index, index + word.length, `"${word}": write ${instead}`);
      }
    }
    let start = 0;
    for (const { 0: end, index } of [...text.matchAll(SENTENCE_END), { 0: '', index: text.length }]) {
      const words = text.slice(start, index).match(/[\p{L}\p{N}_`][^\s]*/gu) ?? [];
      if (words.length > MOST_WORDS && !WORD_LIST.test(text.slice(start, index))) {
        complain(start, index, `${words.length} words in a sentence: write ${MOST_WORDS} at most`);
      }
      start = index + end.length;
    }
  }

  return { [Syntax.Paragraph]: check, [Syntax.Header]: check, [Syntax.TableCell]: check };
}

/** Looks at the lines of the block up to this one, and at the last line before the block. */
function isAllowed(lines, line) {
  const above = lines.slice(0, line);
  const end = above.findLastIndex((text) => text.trim() === '');
  const before = above.slice(0, Math.max(end, 0)).findLast((text) => text.trim() !== '');
  return [before, ...above.slice(end + 1)].some((text) => text?.includes('prose-allow'));
}

/** The source of a node at the same length, with markup as blanks and each piece of code as one word. */
function readable(node) {
  const text = [...node.raw]
    .map((character) => (character === '\n' ? '\n' : ' '))
    .join('')
    .split('');
  const write = (part) => {
    for (const child of part.children ?? []) write(child);
    if (part.type !== 'Str' && part.type !== 'Code') return;
    const shown = part.type === 'Code' ? '`'.repeat(part.raw.length) : part.raw;
    text.splice(part.range[0] - node.range[0], shown.length, ...shown.split(''));
  };
  write(node);
  return text.join('');
}
