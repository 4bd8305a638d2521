import type { ApiRequest } from './api.js';

/** Quotes a text for a shell of POSIX. */
const quoteShell = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** Quotes a text for TypeScript. */
export const quoteCode = (text: string): string =>
  text.includes("'") || /[\n\\]/.test(text) ? JSON.stringify(text) : `'${text}'`;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Writes a value as an expression of TypeScript, on one line. */
export function toCode(value: unknown): string {
  if (typeof value === 'string') return quoteCode(value);
  if (Array.isArray(value)) return `[${value.map(toCode).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const fields = Object.entries(value).flatMap(([name, field]) =>
    field === undefined ? [] : [`${IDENTIFIER.test(name) ? name : quoteCode(name)}: ${toCode(field)}`],
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** Writes a request as a command of curl. @param target base URL */
export function toCurl({ method, path, headers = {}, body }: ApiRequest, target: string): string {
  const isPlainGet = method === 'GET' && body === undefined;
  // With `-X HEAD` curl waits for a body.
  const verb = isPlainGet ? '' : method === 'HEAD' ? '--head ' : `-X ${method} `;
  const parts = [
    `curl ${verb}${quoteShell(target + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoteShell(body)}`]),
  ];
  return parts.join(' \\\n  ');
}
