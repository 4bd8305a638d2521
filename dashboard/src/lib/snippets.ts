import type { ApiRequest } from './api.js';

/** Quotes a text for a shell of POSIX. */
const quoteShell = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

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
