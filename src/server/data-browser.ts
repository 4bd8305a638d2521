import type { Sandbox } from '../control/sandbox.js';
import { DataBrowser } from '../data-browser/browser.js';
import { isRead } from '../lib/methods.js';
import { isObject } from '../lib/objects.js';
import type { Instant } from '../lib/time.js';
import { badRequest } from '../model/errors.js';
import {
  addHeaders,
  type HttpRequest,
  type HttpResponse,
  makeResponse,
  prefersHtml,
  readJson,
  redirect,
  toControlJson,
} from './http.js';
import { DASHBOARD_DATA } from './paths.js';

export const BROWSER_PREFIX = '/_emulator/db';

/** The data browsers of the sandboxes, each created by the first request to it. */
export class DataBrowsers {
  readonly #browsers = new WeakMap<Sandbox, DataBrowser>();

  async respond(request: HttpRequest, sandbox: Sandbox, now: Instant): Promise<HttpResponse> {
    const { method, target, base } = request;
    if (isRead(method) && prefersHtml(request) && /^\/?(?:\?|$)/.test(target.slice(BROWSER_PREFIX.length))) {
      return redirect(base + DASHBOARD_DATA, now);
    }
    const body = ['POST', 'PUT', 'PATCH'].includes(method) ? readJson(request) : undefined;
    if (body !== undefined && !isObject(body)) throw badRequest('body must be object: a record in fixture format');
    const browser = this.#browsers.get(sandbox) ?? new DataBrowser(sandbox);
    this.#browsers.set(sandbox, browser);
    const path = target.slice(BROWSER_PREFIX.length);
    const { status, headers, value } = await browser.handle({ method, path, base: base + BROWSER_PREFIX, body });
    return addHeaders(makeResponse(status, toControlJson(request, value), now), headers);
  }
}
