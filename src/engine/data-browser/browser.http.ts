import type { HttpRequest } from '../api/http-request.js';
import type { HttpResponse } from '../control/http-response.js';
import type { Resources } from '../control/resources.js';
import { readJson } from '../http/input.js';
import { BROWSER, DASHBOARD_DATA } from '../http/paths.js';
import { acceptsHtml, addHeaders, makeResponse, prefersHtml, redirect, toControlJson } from '../http/response.js';
import { runInSlices } from '../http/slices.js';
import { isObject } from '../lib/objects.js';
import { isRead } from '../lib/target.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { badRequest } from '../state/errors.js';
import { createReader, write } from './browser.js';

/** Responds in the data browser of a sandbox. json-server sends the response of a read itself. */
export async function browse(request: HttpRequest, sandbox: Sandbox, resources: Resources): Promise<HttpResponse> {
  const { method } = request;
  sandbox.touch();
  const base = request.base + BROWSER;
  const target = request.target.slice(BROWSER.length);
  const respond = (status: number, value: unknown) => makeResponse(status, toControlJson(request, value));
  if (isRead(method) && /^\/*(?:\?|$)/.test(target)) {
    if (prefersHtml(request)) return redirect(request.base + DASHBOARD_DATA);
    const { names } = sandbox.store.state.definitions;
    return respond(200, Object.fromEntries(names.map((name) => [name, `${base}/${name}`])));
  }
  if (isRead(method)) {
    const listener = createReader(
      { resources, state: sandbox.store.state },
      target,
      base,
      acceptsHtml(request) ? 2 : 0,
    );
    return listener ? { ...makeResponse(200, undefined), listener } : respond(404, {});
  }
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? readJson(request) : undefined;
  if (body !== undefined && !isObject(body)) throw badRequest('body must be object: a record in fixture format');
  const { status, value, location } = await runInSlices(write({ resources, sandbox }, method, target, body));
  const response = respond(status, value);
  if (location === undefined) return response;
  return addHeaders(response, { location: base + location, 'access-control-expose-headers': 'Location' });
}
