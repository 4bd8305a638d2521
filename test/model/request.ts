import { STATUS_CODES } from 'node:http';
import type { Fault, Json, User, Val, Version } from './records.js';

export interface Request {
  readonly method: string;
  /** Path and query, as seen from inside the sandbox. */
  readonly target: string;
  /** What links begin with. */
  readonly base: string;
  readonly authorization?: string | undefined;
  readonly contentType?: string | undefined;
  readonly body?: string | undefined;
  /** A fault that the request asks for itself. */
  readonly wanted?: Fault | undefined;
}
/** A body without `message` stands for one with any. Status 0 is a broken connection. */
export interface Expected {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export class Refusal {
  readonly status: number;
  readonly body: Json;

  constructor(status: number, message?: string, code?: string) {
    this.status = status;
    const error = STATUS_CODES[status];
    this.body = { ...(message && { message }), error, statusCode: status, ...(code && { code }) };
  }
}
export const refuse = (...reason: ConstructorParameters<typeof Refusal>): never => {
  throw new Refusal(...reason);
};
export const invalid = (message: string) => refuse(400, message, 'FST_ERR_VALIDATION');
export const noVal = () => refuse(404, 'The val was not found');
export const same = (a: string | null, b: string | null) => a?.toLowerCase() === b?.toLowerCase();
export const iso = (time: number) => new Date(time).toISOString();
const ALLOWED = 'must be equal to one of the allowed values';
const PAGING = { limit: [1, 100, 20], offset: [0, 1e9, 0] } as const;
export const MINUTE = 60_000;

/** Newest first; of the same time, the last one made. */
export const newest = <T extends { readonly at: number }>(items: readonly T[]): T[] =>
  [...items].reverse().sort((a, b) => b.at - a.at);
export const latest = ({ versions }: Val): Version => versions.at(-1) ?? refuse(500);

export function uuid(name: string, text = ''): string {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
    ? text.toLowerCase()
    : invalid(`params/${name} must match format "uuid"`);
}

export function integer(where: string, text: string, least: number, most: number): number {
  if (!/^-?\d+$/.test(text)) invalid(`${where} must be integer`);
  if (Number(text) < least) invalid(`${where} must be >= ${least}`);
  if (Number(text) > most) invalid(`${where} must be <= ${most}`);
  return Number(text);
}

/** Checks a text of a body or query, if there is one. */
export function text(where: string, value: unknown, least: number, most: number): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return invalid(`${where} must be string`);
  if ([...value].length < least) invalid(`${where} must NOT have fewer than ${least} characters`);
  if ([...value].length > most) invalid(`${where} must NOT have more than ${most} characters`);
  return value;
}

export function choice(where: string, value: unknown, allowed: readonly string[]): string | undefined {
  return value === undefined ? undefined : (allowed.find((each) => each === value) ?? invalid(`${where} ${ALLOWED}`));
}

export const settingsOf = (body: Json) => ({
  name: checkedName(body.name),
  readme: text('body/readme', body.readme, 0, 8_192),
  privacy: choice('body/privacy', body.privacy, ['public', 'unlisted', 'private']),
  type: choice('body/type', body.type, ['httpnext', 'http', 'script', 'email']),
});
export const codeOf = (body: Json): string =>
  text('body/code', body.code, 1, 256_000) ?? invalid("body must have required property 'code'");
export function checkedName(value: unknown): string | undefined {
  const name = text('body/name', value, 1, 48);
  const pattern = '^[a-zA-Z][a-zA-Z0-9_]*$';
  return name === undefined || new RegExp(pattern).test(name)
    ? name
    : invalid(`body/name must match pattern "${pattern}"`);
}

/** The modules that code imports, as `user/name`; lines that begin with a comment do not count. */
export const importsOf = (code: string): string[] => {
  const found = code
    .split('\n')
    .filter((line) => !line.startsWith('//'))
    .flatMap((line) => [
      ...line.matchAll(/(?:from|import)\s*\(?\s*["']https:\/\/esm\.town\/v\/@?([\w/]+)(?:\?v=\d+)?["']/g),
    ])
    .map(([, target = '']) => target.toLowerCase());
  return [...new Set(found)];
};

/** A request on its way through a route. */
export class Call {
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly request: Request;
  readonly caller: User | undefined;
  readonly learn: (what: 'id' | 'name') => string;

  constructor(params: readonly string[], request: Request, caller: User | undefined, learn: Call['learn']) {
    this.params = params;
    this.query = new URLSearchParams(request.target.split('?').slice(1).join('?'));
    this.request = request;
    this.caller = caller;
    this.learn = learn;
  }

  get me(): User {
    return this.caller ?? refuse(401, 'Unauthorized');
  }

  json(): unknown {
    const { body, contentType } = this.request;
    if (body === undefined && contentType !== undefined) refuse(400);
    if (body === undefined) return undefined;
    if (contentType !== 'application/json') refuse(415);
    if (Buffer.byteLength(body) > 1_048_576) refuse(413);
    try {
      return JSON.parse(body);
    } catch {
      return refuse(400);
    }
  }

  get paging() {
    const [limit, offset] = Object.entries(PAGING).map(([name, [least, most, normal]]) => {
      const [value, ...more] = this.query.getAll(name);
      if (more.length > 0) invalid(`querystring/${name} must be integer`);
      return value === undefined ? normal : integer(`querystring/${name}`, value, least, most);
    });
    return { limit: limit ?? 0, offset: offset ?? 0 };
  }

  get within(): (item: { readonly at: number }) => boolean {
    const [since, until] = ['since', 'until'].map((name) => {
      const value = this.query.get(name);
      if (value === null) return undefined;
      const time =
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(value) && Date.parse(value.toUpperCase());
      return Number.isInteger(time) ? Number(time) : invalid(`querystring/${name} must match format "date-time"`);
    });
    return ({ at }) => at > (since ?? -Infinity) && at <= (until ?? Infinity);
  }

  page(items: readonly unknown[]): Json {
    const { limit, offset } = this.paging;
    const link = (at: number) => {
      const query = new URLSearchParams(this.query);
      query.set('limit', String(limit));
      query.set('offset', String(at));
      return `${this.request.base}${this.request.target.split('?')[0]?.replace(/\/$/, '')}?${query}`;
    };
    const next = items.length > offset + limit && { next: link(offset + limit) };
    const prev = offset > 0 && { prev: link(Math.max(0, offset - limit)) };
    return { data: items.slice(offset, offset + limit), links: { self: link(offset), ...next, ...prev } };
  }
}

/** Path segments against the segments of a route; the values of its parameters. */
export function matchPath(pattern: string, path: string): string[] | undefined {
  const [wanted, given] = [pattern.split('/'), path.replace(/(?<=.)\/$/, '').split('/')];
  const fits = wanted.length === given.length && wanted.every((part, i) => part.startsWith('{') || part === given[i]);
  return fits ? given.filter((_, i) => wanted[i]?.startsWith('{')).map(decodeURIComponent) : undefined;
}
