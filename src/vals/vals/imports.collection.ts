/** The module address of an imported val, in lower case, since names ignore case. */
export interface ImportTarget {
  readonly username: string;
  readonly name: string;
}

/**
 * Matches the tokens that distinguish imports from other text. Stored code is not validated, so this accepts what a parser
 * rejects: JSX text with an apostrophe, an incomplete file. An unclosed quote ends with its line, an unclosed template
 * with the file. No alternative backtracks, so the time is linear.
 */
const TOKEN =
  /(?<comment>\/\/.*|\/\*[\s\S]*?(?:\*\/|$))|(?<text>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|(?<word>[\w$]+)|(?<sign>\S)/g;
/** The text of a template to its end, or to a hole. */
const TEMPLATE = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*(?:`|\$\{|\\?$)/y;
/** The tokens after which a slash starts a regular expression. */
const BEFORE_REGEX = /^(?:[([{,;=:?!&|+\-*%~^>]|return|typeof|case|await|of|in)$/;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]?|[^/\\[\n])*\/?\w*/y;
/**
 * The module address of a val, with or without `?v=`, an extension or a slash; the id of an author without a username.
 * Source: published editors and tools, and the links of the API.
 */
const MODULE =
  /^https:\/\/esm\.town\/v\/@?([a-z_$][\w$]*|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/([a-z_$][\w$]*)(?:\.[jt]sx?)?\/?(?:[?#].*)?$/i;

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
  /** The braces that are open in each hole of a template. */
  const holes: number[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(code); match?.groups; match = TOKEN.exec(code)) {
    const { comment, text, word, sign } = match.groups;
    if (comment !== undefined) continue;
    const depth = holes.length - 1;
    let specifier = text;
    let token = word ?? sign ?? 'text';
    if (sign === '`' || (sign === '}' && holes[depth] === 0)) {
      if (sign === '}') holes.pop();
      TEMPLATE.lastIndex = TOKEN.lastIndex;
      TEMPLATE.test(code);
      TOKEN.lastIndex = TEMPLATE.lastIndex;
      const isHole = code.endsWith('${', TEMPLATE.lastIndex);
      if (isHole) holes.push(0);
      if (sign === '`') {
        specifier = code.slice(match.index, TEMPLATE.lastIndex);
        // A hole in the query or the fragment does not change the val.
        if (isHole) specifier = /[?#]/.test(specifier) ? `${specifier.slice(0, -2)}\`` : undefined;
      }
      token = isHole ? '(' : 'text';
    } else if (sign === '{' || sign === '}') {
      if (depth >= 0) holes[depth] = (holes[depth] ?? 0) + (sign === '{' ? 1 : -1);
    } else if (sign === '/' && BEFORE_REGEX.test(last)) {
      REGEX.lastIndex = match.index;
      if (REGEX.test(code)) TOKEN.lastIndex = REGEX.lastIndex;
    }
    const isCall = last === '(' && (beforeLast === 'import' || beforeLast === 'require');
    if (specifier !== undefined && (last === 'from' || last === 'import' || isCall)) {
      if (specifier.length > 1 && specifier.endsWith(specifier.charAt(0))) yield specifier.slice(1, -1);
    }
    beforeLast = last;
    last = token;
  }
}
