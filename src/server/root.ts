import { createHash } from 'node:crypto';
import type { Route } from '../api/route.js';
import type { Sandbox } from '../control/sandbox.js';
import { countRecords } from '../fixtures/export.js';
import { formatCurl } from '../lib/messages.js';
import { packageVersion } from '../lib/package.js';
import type { Instant } from '../lib/time.js';
import { BROWSER_PREFIX } from './data-browser.js';
import { acceptsHtml, addHeaders, type HttpRequest, type HttpResponse, makeResponse } from './http.js';

/** What the root page shows of a sandbox, to clients that may use the control API. */
export interface RootContent {
  /** Base URL of the sandbox, as the client reaches it. */
  readonly url: string;
  readonly sandbox: Sandbox;
  readonly routes: readonly Route[];
}

const NAME = 'val-emulator';
/** Users that the page lists; a dataset may have thousands. */
const MAX_LISTED_USERS = 50;

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
table{border-collapse:collapse}td,th{padding:.15rem 1.5rem .15rem 0;text-align:left;vertical-align:top}
code{font:13px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}`;

/** Nothing from another host, no script, and no frame around the tokens. */
function makePageHeaders() {
  const style = createHash('sha256').update(STYLE).digest('base64');
  const others = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  return {
    'content-security-policy': `default-src 'none'; style-src 'sha256-${style}'; ${others}`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

/** Whether a request is for the root of the emulator or of a sandbox. HEAD is the same as GET without a body. */
export const isRoot = ({ method, target }: HttpRequest): boolean =>
  /^\/?(?:\?|$)/.test(target) && (method === 'GET' || method === 'HEAD');

/**
 * Makes the response at the root: a page for browsers, JSON for other clients.
 * @param content undefined for a client that may not see it: name and version only
 */
export function rootResponse(request: HttpRequest, content: RootContent | undefined, now: Instant): HttpResponse {
  const version = packageVersion();
  const isPage = acceptsHtml(request);
  const response = isPage
    ? makeResponse(200, renderPage(version, content), now, 'text/html; charset=utf-8')
    : makeResponse(200, JSON.stringify({ name: NAME, version, ...(content && makeLinks(content.url)) }), now);
  // Users and counts change, and the type follows from Accept.
  return addHeaders(response, { 'cache-control': 'no-store', ...(isPage ? makePageHeaders() : {}) });
}

const makeLinks = (url: string) => ({
  url,
  health: `${url}/_emulator/health`,
  docs: `${url}/_emulator/openapi-control.json`,
  openapi: `${url}/_emulator/openapi.json`,
});

function renderPage(version: string, content: RootContent | undefined): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${NAME}</title>
<style>${STYLE}</style>
<h1>${NAME} ${escapeHtml(version)}</h1>
${content ? renderContent(content) : ''}
</html>
`;
}

function renderContent({ url, sandbox, routes }: RootContent): string {
  const { name, users, store } = sandbox;
  const { health, docs, openapi } = makeLinks(url);
  const listed = users.slice(0, MAX_LISTED_USERS);
  const more = users.length - listed.length;
  const [user] = users;
  const counts = Object.entries(countRecords(store.state));
  return `<p>${name === '' ? 'Default sandbox' : `Sandbox <b>${escapeHtml(name)}</b>`} at ${code(url)}</p>
<h2>Users and their tokens</h2>
${renderTable(listed.map(({ username, id, token }) => [escapeHtml(username ?? id), code(token)]))}
${more > 0 ? `<p>and ${more} more</p>` : ''}
${user ? `<p>Try it: ${code(formatCurl(url, user.token))}</p>` : '<p>These fixtures have no users.</p>'}
<h2>Records</h2>
${renderTable(counts.map(([collection, count]) => [link(`${url}${BROWSER_PREFIX}/${collection}`, collection), String(count)]))}
<h2>Documents</h2>
<ul>
<li>${link(openapi, 'OpenAPI document of the API')}
<li>${link(docs, 'OpenAPI document of the control API')}
<li>${link(health, 'Health')}
</ul>
<h2>Routes</h2>
${renderTable(routes.map((route) => [code(route.name), escapeHtml(route.summary)]))}`;
}

/** @param rows cells as HTML */
const renderTable = (rows: readonly (readonly string[])[]): string =>
  `<table>\n${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}`).join('')}`).join('\n')}\n</table>`;

const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;

const link = (url: string, text: string): string => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;

/** Escapes text for HTML, also within a quoted attribute. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
