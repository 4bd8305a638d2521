import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { hasCode } from '../lib/errors.js';
import { escapeMarkup } from '../lib/text.js';
import { packageVersion } from '../platform/package.js';
import { readFolder } from '../platform/package-files.js';
import { makeTag } from './encode.js';
import { DASHBOARD } from './paths.js';
import { accepts } from './response.js';
import { renderPage } from './root.js';

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
  const file = readFile(files, name, headers['accept-encoding']);
  const send = (status: number, content: string | Buffer, others: Readonly<Record<string, string>>) => {
    const length = status === 304 ? {} : { 'content-length': Buffer.byteLength(content) };
    // Of a HEAD and a 304, Node sends no content.
    response.writeHead(status, { ...SECURITY_HEADERS, ...length, ...others }).end(content);
  };
  if (file === undefined) {
    const built = 'run npm run build, since the pages are built from their sources';
    const message = `There is no page ${path}. In a checkout of val-emulator, ${built}.`;
    const isBrowser = /\btext\/html\b/i.test(headers.accept ?? '');
    const link = `<p><a href="${'../'.repeat(name.split('/').length - 1) || './'}">Open the dashboard</a></p>`;
    const text = isBrowser
      ? renderPage(packageVersion(), `<p>${escapeMarkup(message)}</p>\n${link}\n`)
      : `${message}\n`;
    const type = isBrowser ? TYPES.html : undefined;
    send(404, text, { 'content-type': type ?? 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
    return;
  }
  const { content, encoding } = file;
  const etag = `"${makeTag(content)}"`;
  const others = {
    etag,
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    vary: 'Accept-Encoding',
    'cache-control': 'no-cache',
    'content-type': TYPES[name.replace(/^.*\./, '')] ?? 'text/plain',
  };
  send(headers['if-none-match']?.includes(etag) ? 304 : 200, content, others);
}

/**
 * Reads a file in the smallest encoding that the client accepts. The build has compressed it by Brotli, so gzip is made on request, for
 * browsers that reach the page over plain HTTP by another name than localhost. Undefined if there is no such file.
 */
function readFile(files: Readonly<Record<string, string>>, name: string, accepted = '') {
  if (!Object.hasOwn(files, `${name}.br`)) return undefined;
  const packed = Buffer.from(files[`${name}.br`] ?? '', 'base64');
  if (accepts(accepted, 'br')) return { content: packed, encoding: 'br' };
  const content = brotliDecompressSync(packed);
  return accepts(accepted, 'gzip')
    ? { content: gzipSync(content), encoding: 'gzip' }
    : { content, encoding: undefined };
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
