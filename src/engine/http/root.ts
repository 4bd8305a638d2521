import type { HttpRequest } from '../api/http-request.js';
import type { HttpResponse } from '../control/http-response.js';
import { escapeMarkup } from '../lib/text.js';
import { packageVersion } from '../platform/package.js';
import { DASHBOARD, DASHBOARD_DATA } from './paths.js';
import { acceptsHtml, addHeaders, makeResponse, prefersHtml, redirect } from './response.js';

const NAME = 'val-emulator';
/** Nothing from another host, no script, and no frame. */
const PAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * Makes the response at the root: browsers go to the dashboard, other clients get JSON.
 * @param service its name
 * @param url base URL of the emulator or of a sandbox; undefined for a client that may not see more than name, version and service
 */
export function rootResponse(request: HttpRequest, service: string, url: string | undefined): HttpResponse {
  const headers = { 'cache-control': 'no-store' };
  const version = packageVersion();
  if (url !== undefined && prefersHtml(request)) return addHeaders(redirect(url + DASHBOARD), headers);
  if (url === undefined && acceptsHtml(request)) {
    const page = makeResponse(200, renderPage(version), 'text/html; charset=utf-8');
    return addHeaders(page, { ...headers, ...PAGE_HEADERS });
  }
  const links = url === undefined ? {} : makeLinks(url);
  return addHeaders(makeResponse(200, JSON.stringify({ name: NAME, version, service, ...links })), headers);
}

const makeLinks = (url: string) => ({
  url,
  health: `${url}/_emulator/health`,
  docs: `${url}/_emulator/openapi-control.json`,
  openapi: `${url}/_emulator/openapi.json`,
});

/** Makes a page without a style. @param content HTML below the heading */
export const renderPage = (version: string, content = ''): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${NAME}</title>
<h1>${NAME} ${version}</h1>
${content}</html>
`;

/** Says to a browser why it may not see the dashboard, and what would allow it. */
export function toRefusalPage(response: HttpResponse, message: string): HttpResponse {
  const advice =
    'To sign in on another machine, start the emulator with <code>--control-token SECRET</code> and the name of its host: <code>--allowed-host NAME</code>.';
  const text = renderPage(packageVersion(), `<p>${escapeMarkup(message)}</p>\n<p>${advice}</p>\n`);
  return addHeaders(makeResponse(response.status, text, 'text/html; charset=utf-8'), PAGE_HEADERS);
}

/** Shows an error to a browser, with a link to the records in the dashboard. */
export function toErrorPage(response: HttpResponse, base: string, message: string): HttpResponse {
  const link = `<p><a href="${escapeMarkup(base + DASHBOARD_DATA)}">Open the records in the dashboard</a></p>`;
  const text = renderPage(packageVersion(), `<p>${escapeMarkup(message)}</p>\n${link}\n`);
  return addHeaders(makeResponse(response.status, text, 'text/html; charset=utf-8'), PAGE_HEADERS);
}
