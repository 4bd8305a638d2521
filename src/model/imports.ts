/** The module address of an imported val, in lower case, since names ignore case. */
export interface ImportTarget {
  readonly username: string;
  readonly name: string;
}

/**
 * Matches the tokens that tell imports from other text. Stored code is not validated, so this accepts what a parser
 * rejects: JSX text with an apostrophe, an incomplete file. An unclosed quote ends with its line, an unclosed template
 * with the file. No alternative backtracks, so the time is linear.
 */
const TOKEN =
  /(?<comment>\/\/.*|\/\*[\s\S]*?(?:\*\/|$))|(?<text>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\[\s\S]|[^`\\])*`?)|(?<word>[\w$]+)|(?<sign>\S)/g;
/** The tokens after which a slash starts a regular expression. */
const BEFORE_REGEX = /^(?:[([{,;=:?!&|+\-*%~^>]|return|typeof|case|await|of|in)$/;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]?|[^/\\[\n])*\/?\w*/y;
/** The module address of a val, with or without `?v=`. Source: published editors and tools. */
const MODULE = /^https:\/\/esm\.town\/v\/@?([a-zA-Z_$][\w$]*)\/([a-zA-Z_$][\w$]*)(?:[?#].*)?$/;

/** Returns the vals that code imports, each once: by static and dynamic imports and re-exports, not in comments. */
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
