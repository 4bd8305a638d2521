import type { ApiRequest } from './api.js';

/** Quotes a text for a shell of POSIX. */
const quoteShell = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** Quotes a text for TypeScript. */
export const quote = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** Longest value that is written in one line. */
const MAX_LINE = 90;

/** An expression of TypeScript in place of a JSON value. */
export class Expression {
  readonly code: string;

  constructor(code: string) {
    this.code = code;
  }
}

/** Writes a JSON value as TypeScript. */
export function toLiteral(value: unknown, indent = ''): string {
  if (value instanceof Expression) return value.code;
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const isList = Array.isArray(value);
  const next = `${indent}  `;
  const write = (inner: string): string[] =>
    isList
      ? value.map((each) => toLiteral(each, inner))
      : Object.entries(value)
          .filter(([, each]) => each !== undefined)
          .map(([key, each]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key)}: ${toLiteral(each, inner)}`);
  const parts = write(next);
  if (parts.length === 0) return isList ? '[]' : '{}';
  const line = parts.join(', ');
  if (line.length + indent.length <= MAX_LINE && !line.includes('\n')) return isList ? `[${line}]` : `{ ${line} }`;
  const lines = parts.map((part) => `${next}${part},\n`).join('');
  return isList ? `[\n${lines}${indent}]` : `{\n${lines}${indent}}`;
}

/** Writes a request as a command of curl. @param target base URL */
export function toCurl({ method, path, headers = {}, body }: ApiRequest, target: string): string {
  const isPlainGet = method === 'GET' && body === undefined;
  // With `-X HEAD` curl waits for a body.
  const verb = isPlainGet ? '' : method === 'HEAD' ? '--head ' : `-X ${method} `;
  // A shell has no text for bytes.
  const [source, data] =
    typeof body === 'object'
      ? [`echo ${body.base64} | base64 -d | `, '--data-binary @-']
      : ['', `--data-raw ${quoteShell(body ?? '')}`];
  const parts = [
    `${source}curl ${verb}${quoteShell(target + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [data]),
  ];
  return parts.join(' \\\n  ');
}
