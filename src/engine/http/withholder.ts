import type { Route } from '../api/route.js';
import type { SecretRoute } from '../api/secret-routes.js';
import { toBodyText } from '../lib/base64.js';
import { parseJsonIfValid } from '../lib/json.js';
import { isDeeperThan, isObject, MAX_JSON_DEPTH } from '../lib/objects.js';
import { HIDDEN } from '../lib/redactor.js';
import { decode } from '../lib/target.js';

/** The keys of a message of JSON-RPC, and of its parameters, that have no argument of a tool. */
const MESSAGE_KEYS = ['jsonrpc', 'id', 'method', 'params'];
const PARAMETER_KEYS = ['name', 'protocolVersion', 'clientInfo', 'capabilities', 'cursor', '_meta'];

/**
 * Replaces the other values of a body, also of one that the route refuses: a key may be misspelt.
 * @param isMessage whether the body is a call of a tool, whose arguments have the keys. Default: false
 */
function withhold(body: Body, openKeys: readonly string[], isMessage = false): Body {
  if (body === undefined || body.length === 0) return body;
  const parsed = parseJsonIfValid(toBodyText(body) ?? '');
  if (!isObject(parsed) || isDeeperThan(MAX_JSON_DEPTH, parsed)) return HIDDEN;
  return JSON.stringify(isMessage ? hideArguments(parsed, openKeys) : hideOthers(parsed, openKeys));
}

const hideArguments = (message: unknown, openKeys: readonly string[]): unknown =>
  hideOthers(message, MESSAGE_KEYS, (params, key) =>
    key !== 'params'
      ? params
      : hideOthers(params, [...PARAMETER_KEYS, 'arguments'], (args, name) =>
          name === 'arguments' ? hideOthers(args, openKeys) : args,
        ),
  );

function hideOthers(
  value: unknown,
  openKeys: readonly string[],
  open = (inner: unknown, _key: string): unknown => inner,
): unknown {
  if (!isObject(value)) return value === undefined ? undefined : HIDDEN;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, openKeys.includes(key) ? open(inner, key) : HIDDEN]),
  );
}

/** Replaces the values of some keys, at any level. */
function hideKeys(value: unknown, keys: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((each) => hideKeys(each, keys));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, keys.has(key) ? HIDDEN : hideKeys(inner, keys)]),
  );
}

type Body = string | Uint8Array | undefined;

interface Recorded {
  target: string;
  requestBody: Body;
  responseBody: Body;
  responseHeaders: Readonly<Record<string, string>>;
}

type RecordedRoute = Pick<Route, 'openKeys' | 'isMessage' | 'validators' | 'secretNames'>;

/** Replaces the values of parameters and of JSON keys with these names. */
function hideNamed(recorded: Recorded, names: readonly string[]): void {
  const values = new RegExp(String.raw`(?<=(?:^|[?&"])(?:${names.join('|')})(?:=|"\s*:\s*"))[^&#"]+`, 'g');
  const hide = (text: string) => text.replace(values, HIDDEN);
  const hideInBody = (body: Body): Body => (body === undefined ? undefined : hide(toBodyText(body) ?? HIDDEN));
  const { target, requestBody, responseBody, responseHeaders } = recorded;
  const { location } = responseHeaders;
  recorded.target = hide(target);
  recorded.requestBody = hideInBody(requestBody);
  recorded.responseBody = hideInBody(responseBody);
  if (location !== undefined) recorded.responseHeaders = { ...responseHeaders, location: hide(location) };
}

/**
 * Hides what a service never shows again from what is recorded of requests. A request that no route accepts may be meant for
 * one that has such values, by its path, or by their keys.
 */
export class Withholder {
  /** The keys of such values: `value`. */
  readonly #keys: ReadonlySet<string>;
  /** The keys that may be recorded, by the last literal segment of a route: `environment_variables`. */
  readonly #openKeys = new Map<string, readonly string[]>();

  constructor(routes: readonly SecretRoute[]) {
    this.#keys = new Set(routes.flatMap(({ keys }) => keys));
    const literals = (path: string) => path.split('/').filter((segment) => !/^(?:\{.*)?$/.test(segment));
    for (const { path, openKeys } of routes) {
      const segment = literals(path).at(-1) ?? '';
      this.#openKeys.set(segment, [...(this.#openKeys.get(segment) ?? []), ...openKeys]);
    }
  }

  /** @param route undefined if there is none */
  hide(recorded: Recorded, route: RecordedRoute | undefined): void {
    this.#hide(recorded, route);
    // The parser of V8 quotes what is not JSON.
    if (recorded.requestBody === HIDDEN) recorded.responseBody = hideQuote(recorded.responseBody);
  }

  #hide(recorded: Recorded, route: RecordedRoute | undefined): void {
    if (route?.secretNames) {
      hideNamed(recorded, route.secretNames);
      return;
    }
    if (route?.openKeys) recorded.requestBody = withhold(recorded.requestBody, route.openKeys, route.isMessage);
    if (this.#keys.size === 0) return;
    const { target } = recorded;
    const end = target.indexOf('?');
    const family = end < 0 && route ? undefined : this.#findFamily(end < 0 ? target : target.slice(0, end));
    if (!route) {
      recorded.requestBody = family ? withhold(recorded.requestBody, family) : this.#hideInBody(recorded.requestBody);
    }
    if (end < 0) return;
    const hidden =
      target.slice(0, end) + this.#hideInQuery(target.slice(end), route?.validators.query ? undefined : family);
    if (hidden === target) return;
    recorded.target = hidden;
    // An error of the router has the target.
    const { responseBody } = recorded;
    if (typeof responseBody === 'string')
      recorded.responseBody = responseBody.replaceAll(JSON.stringify(target).slice(1, -1), hidden);
  }

  #findFamily(path: string): readonly string[] | undefined {
    const segments = path.split('/');
    return [...this.#openKeys].find(([segment]) => segments.includes(segment))?.[1];
  }

  #hideInBody(body: Body): Body {
    const text = toBodyText(body);
    if (text === undefined || ![...this.#keys].some((key) => text.includes(key))) return body;
    const parsed = parseJsonIfValid(text);
    if (parsed === undefined || isDeeperThan(MAX_JSON_DEPTH, parsed)) return HIDDEN;
    return JSON.stringify(hideKeys(parsed, this.#keys));
  }

  /** @param openKeys the parameters that may be recorded. Default: all but the keys of such values */
  #hideInQuery(query: string, openKeys: readonly string[] | undefined): string {
    return query.replace(/([?&;])([^=&;]*)=([^&;]*)/g, (pair, mark: string, name: string) => {
      const key = decode(name) ?? name;
      const isOpen = openKeys ? openKeys.includes(key) : !this.#keys.has(key);
      return isOpen ? pair : `${mark}${name}=${encodeURIComponent(HIDDEN)}`;
    });
  }
}

function hideQuote(body: Body): Body {
  const parsed = parseJsonIfValid(typeof body === 'string' ? body : '');
  const isQuote = isObject(parsed) && typeof parsed.message === 'string' && parsed.message.includes('"');
  return isQuote ? JSON.stringify({ ...parsed, message: HIDDEN }) : body;
}
