/** Quotes a string for TypeScript. */
export const quote = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** Longest value that is written in one line. */
const MAX_LINE = 90;

/** An expression that replaces a JSON value. */
export class Expression {
  readonly code: string;

  constructor(code: string) {
    this.code = code;
  }
}

/** How a language writes JSON values. */
export interface Notation {
  scalar(value: unknown): string;
  key(name: string): string;
  /** Between a brace and the fields of an object in one line. */
  readonly padding: string;
  /** By which the parts of a value of several lines are indented. */
  readonly indent: string;
}

const TYPESCRIPT: Notation = {
  scalar: (value) => (typeof value === 'string' ? quote(value) : (JSON.stringify(value) ?? 'undefined')),
  // A literal with the key __proto__ has another prototype, and no such field.
  key: (name) => (name === '__proto__' ? "['__proto__']" : /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)),
  padding: ' ',
  indent: '  ',
};

/** Writes a JSON value as TypeScript, or as another language. */
export function toLiteral(value: unknown, indent = '', notation = TYPESCRIPT): string {
  if (value instanceof Expression) return value.code;
  if (typeof value !== 'object' || value === null) return notation.scalar(value);
  const isList = Array.isArray(value);
  const next = indent + notation.indent;
  const parts = isList
    ? value.map((each) => toLiteral(each, next, notation))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([name, each]) => `${notation.key(name)}: ${toLiteral(each, next, notation)}`);
  if (parts.length === 0) return isList ? '[]' : '{}';
  const line = parts.join(', ');
  const { padding } = notation;
  if (line.length + indent.length <= MAX_LINE && !line.includes('\n'))
    return isList ? `[${line}]` : `{${padding}${line}${padding}}`;
  const lines = parts.map((part) => `${next}${part},\n`).join('');
  return isList ? `[\n${lines}${indent}]` : `{\n${lines}${indent}}`;
}
