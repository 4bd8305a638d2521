import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasCode } from '../lib/errors.js';
import { readFolder } from '../lib/package-files.js';
import { DASHBOARD } from './paths.js';

/** The types of the files, by the endings of their names. */
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Scripts, styles and data come from the emulator alone, and other sites cannot put the page in a frame. */
const SECURITY_HEADERS = {
  'content-security-policy': [
    "default-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Responds with a file of the dashboard. @param path such as `/_emulator/ui/app.js` */
export function respondWithFile({ method, headers }: IncomingMessage, response: ServerResponse, path: string): void {
  const name = path.slice(DASHBOARD.length) || 'index.html';
  const files = method === 'GET' || method === 'HEAD' ? readFiles() : {};
  const text = Object.hasOwn(files, name) ? files[name] : undefined;
  const send = (status: number, content: string, others: Readonly<Record<string, string>>) => {
    const length = status === 304 ? {} : { 'content-length': Buffer.byteLength(content) };
    // Of a HEAD and a 304, Node sends no content.
    response.writeHead(status, { ...SECURITY_HEADERS, ...length, ...others }).end(content);
  };
  if (text === undefined) {
    const built = 'run npm run build, since the pages are built from their sources';
    const message = `There is no page ${path}. In a checkout of val-emulator, ${built}.\n`;
    send(404, message, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
    return;
  }
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  const others = {
    etag,
    'cache-control': 'no-cache',
    'content-type': TYPES[name.replace(/^.*\./, '')] ?? 'text/plain',
  };
  send(headers['if-none-match']?.includes(etag) ? 304 : 200, text, others);
}

function readFiles(): Readonly<Record<string, string>> {
  try {
    return readFolder('dist/dashboard');
  } catch (error) {
    // A checkout that is not built.
    if (hasCode(error, 'ENOENT')) return {};
    throw error;
  }
}
