/** A val that code imports by its module address, lower-cased as names are compared. */
export interface ImportTarget {
  readonly username: string;
  readonly name: string;
}

/**
 * The parts of source text that matter here. Code is stored unchecked, so this reads what no parser would take: JSX
 * text with an apostrophe in it, a file that breaks off in the middle. A quote that is never closed ends with its line,
 * a template with the file; no part can fail halfway, so the time is linear in the length.
 */
const TOKEN =
  /(?<comment>\/\/.*|\/\*[\s\S]*?(?:\*\/|$))|(?<text>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\[\s\S]|[^`\\])*`?)|(?<word>[\w$]+)|(?<sign>\S)/g;
/** After one of these a slash begins a regular expression, whose quotes are not quotes. */
const BEFORE_REGEX = /^(?:[([{,;=:?!&|+\-*%~^>]|return|typeof|case|await|of|in)$/;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]?|[^/\\[\n])*\/?\w*/y;
/** The module address of a val, with or without a pinned `?v=`, as the published editors and tools recognise it. */
const MODULE = /^https:\/\/esm\.town\/v\/@?([a-zA-Z_$][\w$]*)\/([a-zA-Z_$][\w$]*)(?:[?#].*)?$/;

/** The vals that `code` imports, each once: static and dynamic imports and re-exports, but no mention in a comment. */
export function parseImports(code: string): readonly ImportTarget[] {
  if (!code.includes('esm.town/v/')) return NONE;
  const targets = new Map<string, ImportTarget>();
  for (const specifier of specifiersIn(code)) {
    const [, username, name] = MODULE.exec(specifier) ?? [];
    if (username === undefined || name === undefined) continue;
    const target = { username: username.toLowerCase(), name: name.toLowerCase() };
    targets.set(`${target.username}/${target.name}`, target);
  }
  return [...targets.values()];
}

const NONE: readonly ImportTarget[] = [];

function* specifiersIn(code: string): Generator<string> {
  let last = '';
  let beforeLast = '';
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(code); match?.groups; match = TOKEN.exec(code)) {
    const { comment, text, word, sign } = match.groups;
    if (comment !== undefined) continue;
    if (text !== undefined) {
      const imported = last === 'from' || last === 'import' || (last === '(' && beforeLast === 'import');
      if (imported && text.length > 1 && text.endsWith(text.charAt(0))) yield text.slice(1, -1);
    } else if (sign === '/' && BEFORE_REGEX.test(last)) {
      REGEX.lastIndex = match.index;
      if (REGEX.test(code)) TOKEN.lastIndex = REGEX.lastIndex;
    }
    beforeLast = last;
    last = word ?? sign ?? 'text';
  }
}
