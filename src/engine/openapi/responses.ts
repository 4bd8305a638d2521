import { STATUS_CODES } from 'node:http';
import { type TSchema, Type } from 'typebox';
import type { Route } from '../api/route.js';
import type { JsonSchema, SchemaConverter } from './schemas.js';
import type { Content, DocumentSpec, Example, Link, Response } from './types.js';

/** Names and descriptions of the responses of errors of the API that differ from those of the control API. */
const API_ERRORS: typeof ERRORS = {
  403: { name: 'Forbidden', description: 'The token lacks the scope of the operation' },
};

const ERRORS: Readonly<Record<number, { readonly name: string; readonly description: string }>> = {
  400: { name: 'BadRequest', description: 'The request does not match its schema' },
  401: { name: 'Unauthorized', description: 'Missing or unknown token' },
  403: {
    name: 'Forbidden',
    description: 'Host or origin not allowed. A 429 after ten wrong control tokens in a minute',
  },
  404: {
    name: 'NotFound',
    description: 'Not found, not accessible to the caller, or the sandbox of the request is closed',
  },
  409: { name: 'Conflict', description: 'Another record has this name, or a confirmation is missing' },
  412: { name: 'PreconditionFailed', description: 'The resource does not meet a condition of the request' },
  413: { name: 'PayloadTooLarge', description: 'The body is too large' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not application/json' },
  422: { name: 'Unprocessable', description: 'Well-formed, but invalid for the current data' },
  429: { name: 'TooManyRequests', description: 'Rate limit exceeded. Only with the option rateLimit' },
  507: { name: 'InsufficientStorage', description: 'The data have no more room in memory' },
  503: {
    name: 'ServiceUnavailable',
    description: 'Sandbox limit reached, or the limit of open streams or of unread bytes',
  },
};

export const json = (schema: JsonSchema, example: unknown): Content => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});

/** Converts the responses of routes. Errors of the same status share a component. */
export class ResponseConverter {
  readonly #spec: DocumentSpec;
  readonly #schemas: SchemaConverter;
  readonly #components = new Map<number, Response>();

  constructor(spec: DocumentSpec, schemas: SchemaConverter) {
    this.#spec = spec;
    this.#schemas = schemas;
  }

  /** The components so far, in the order of their statuses. */
  get components(): Record<string, Response> {
    const sorted = [...this.#components].sort(([a], [b]) => a - b);
    return Object.fromEntries(sorted.map(([status, response]) => [this.#getError(status).name, response]));
  }

  convert(route: Route<never>): Record<string, Response | { readonly $ref: string }> {
    const { isConditional = false } = route;
    const conditional = isConditional ? [412] : [];
    const errors = new Set([...route.errors, ...conditional, ...this.#spec.listCommonErrors(route)]);
    return {
      [route.status]: this.#describeSuccess(route),
      ...(isConditional && route.method === 'GET' ? { 304: NOT_MODIFIED } : {}),
      ...(route.redirects ? { 302: FOUND } : {}),
      ...Object.fromEntries(Array.from(errors, (status) => [status, this.#describeError(route, status)])),
    };
  }

  #describeSuccess(route: Route<never>): Response {
    const links: Readonly<Record<string, Link>> = this.#spec.listLinks?.(route) ?? {};
    const example = this.#spec.findExample(route, route.status)?.body;
    return {
      description: STATUS_CODES[route.status] ?? '',
      ...(route.isConditional && route.method === 'GET' ? { headers: REPRESENTATION_HEADERS } : {}),
      ...(route.status === 204 ? {} : { content: this.#describeBody(route.response, example, route.mediaType) }),
      ...(Object.keys(links).length === 0 ? {} : { links }),
    };
  }

  #describeError(route: Route<never>, status: number) {
    const own = route.errorBodies?.[status];
    if (!own) return this.#refer(status);
    const example = this.#spec.findExample(route, status)?.body;
    // A request that does not reach the route has the error of all routes.
    const either = Type.Union([own, this.#spec.getErrorBody(status)]);
    return { description: this.#getError(status).description, content: this.#describeBody(either, example) };
  }

  #refer(status: number): { readonly $ref: string } {
    const { name, description } = this.#getError(status);
    if (!this.#components.has(status)) {
      const example = this.#findErrorExample(status);
      this.#components.set(status, {
        description,
        ...(status === 429 ? { headers: describeRateLimit(example) } : {}),
        content: this.#describeBody(this.#spec.getErrorBody(status), example?.body),
      });
    }
    return { $ref: `#/components/responses/${name}` };
  }

  /** Prefers the error of a route that declares it to one that a request gets on every route. */
  #findErrorExample(status: number): Example | undefined {
    const { routes, findExample } = this.#spec;
    const others = routes.filter(({ errorBodies }) => !errorBodies?.[status]);
    const declaring = others.filter(({ errors }) => errors.includes(status));
    for (const route of [...declaring, ...others]) {
      const example = findExample(route, status);
      if (example) return example;
    }
    return undefined;
  }

  #getError(status: number) {
    const { [status]: description = `Error ${status}` } = STATUS_CODES;
    const own = this.#spec.isApi ? API_ERRORS[status] : undefined;
    return own ?? ERRORS[status] ?? { name: description.replace(/\W/g, ''), description };
  }

  #describeBody = (schema: TSchema, example: unknown, mediaType = 'application/json'): Content => ({
    [mediaType]: { schema: this.#schemas.convert(schema), ...(example === undefined ? {} : { example }) },
  });
}

const FOUND: Response = { description: 'The address of the version that the request means' };

const REPRESENTATION_HEADERS = {
  etag: { description: 'The tag of the content, in quotes', schema: { type: 'string' } },
  'last-modified': { description: 'The time of its last change, as an HTTP date', schema: { type: 'string' } },
};
const NOT_MODIFIED = { description: STATUS_CODES[304] ?? '', headers: REPRESENTATION_HEADERS };

const RATE_LIMIT_HEADERS = {
  'retry-after': 'Seconds until the next request is allowed',
  'x-ratelimit-limit': 'Maximum number of requests in a window',
  'x-ratelimit-remaining': 'Number of requests left in this window',
  'x-ratelimit-reset': 'Seconds until the window ends',
};

/** Describes the headers of a 429, with their values in an example. */
const describeRateLimit = (example: Example | undefined) =>
  Object.fromEntries(
    Object.entries(RATE_LIMIT_HEADERS).map(([name, description]) => {
      const value = example?.headers.get(name);
      const schema = { type: 'integer', minimum: 0 };
      return [name, { description, schema, ...(value ? { example: Number(value) } : {}) }];
    }),
  );
