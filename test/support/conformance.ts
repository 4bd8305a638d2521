import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { HttpRequest } from '#engine/api/http-request.js';
import type { HttpResponse } from '#engine/control/http-response.js';
import { JSON_TYPE } from '#engine/http/response.js';

type Response = { readonly content?: unknown; readonly $ref?: string };

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, Response>> }>>>
  >;
}

/** An OpenAPI document and a validator of responses, independent of how the document was made. */
class Conformance {
  // Neither shortens its functions nor checks the document, which would take longer than all its checks.
  readonly #ajv = new Ajv2020({ allErrors: true, validateSchema: false, code: { optimize: false } });
  readonly #paths: Document['paths'];
  /** Paths by method and number of segments. Paths without parameters come first. */
  readonly #templates = new Map<string, (readonly [path: string, pattern: RegExp])[]>();

  /** @param file committed document; another test finds out when it is stale */
  constructor(file: string) {
    const document: Document = JSON.parse(readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8'));
    addFormats.default(this.#ajv);
    this.#ajv.addVocabulary(Object.keys(document));
    this.#ajv.addSchema(document, 'document');
    this.#paths = document.paths;
    for (const path of Object.keys(this.#paths).sort((a, b) => a.split('{').length - b.split('{').length)) {
      for (const method of Object.keys(this.#paths[path] ?? {})) {
        const key = toKey(method, path === MODULE ? undefined : path.split('/').length);
        this.#templates.set(key, [...(this.#templates.get(key) ?? []), [path, toPattern(path)]]);
      }
    }
  }

  /** Finds the first violation of the document. */
  findViolation(
    method: string,
    path: string,
    { status, headers, body, stream, chunks }: HttpResponse,
  ): string | undefined {
    const template = this.#findTemplate(method, path) ?? '';
    const response = this.#paths[template]?.[method]?.responses[status];
    const isEarly = EARLY.test(String(body ?? '')) || (template === '' && PARSED_EARLY.has(status));
    if (!response && !isEarly) return 'is not in the document: run npm run docs';
    if (response && !response.content && !response.$ref) return body === undefined ? undefined : 'has a body';
    if (stream)
      return headers['content-type'] === 'text/event-stream; charset=utf-8' ? undefined : 'is no event stream';
    const text = status === 200 ? (TEXTS[path] ?? TEXTS[template]) : undefined;
    if (status === 200 && template === MODULE) {
      return CODE.test(headers['content-type'] ?? '') ? undefined : `is of type ${headers['content-type']}`;
    }
    if (chunks) return headers['content-type'] === (text ?? JSON_TYPE) ? undefined : `is ${headers['content-type']}`;
    if (text !== undefined) return headers['content-type'] === text ? undefined : `is not ${text}`;
    if (headers['content-type'] !== 'application/json; charset=utf-8') return `is of type ${headers['content-type']}`;
    const own = `paths/${template.replaceAll('/', '~1')}/${method}/responses/${status}`;
    const pointer = response?.$ref?.replace('#/', '') ?? own;
    const validate = this.#validator(
      response ? `${pointer}/content/application~1json/schema` : 'components/schemas/ApiError',
    );
    return validate(JSON.parse(String(body ?? 'null'))) ? undefined : this.#ajv.errorsText(validate.errors);
  }

  #findTemplate(method: string, path: string): string | undefined {
    const { length } = path.split('/');
    // A path may end with a slash more than its template.
    const found = [length - 1, length, undefined].flatMap((each) => this.#templates.get(toKey(method, each)) ?? []);
    return found.find(([, pattern]) => pattern.test(path))?.[0];
  }

  #validator(pointer: string): ValidateFunction {
    const validate = this.#ajv.getSchema(`document#/${pointer}`);
    if (!validate) throw new Error(`the document has no ${pointer}`);
    return validate;
  }
}

/** Media types of responses that are not JSON, by path. */
const TEXTS: Readonly<Record<string, string>> = {
  '/_emulator/session': 'application/x-ndjson',
  '/_emulator/metrics': 'text/plain; version=0.0.4; charset=utf-8',
  '/_emulator/emails/{id}/html': 'text/html; charset=utf-8',
  '/v1/blob/{key}': 'application/octet-stream',
  '/v2/blob/{key}': 'application/octet-stream',
  '/v2/vals/{val_id}/files/content': 'application/octet-stream',
};

/** Its last parameter has slashes, and its type depends on the module. */
const MODULE = '/_emulator/esm/{path}';
const CODE = /^(?:application\/(?:typescript|json)|text\/(?:tsx|jsx|javascript|plain)); charset=utf-8$/;

/** @param segments of a path; undefined for any number */
const toKey = (method: string, segments: number | undefined): string => `${method} ${segments}`;

const toPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, path === MODULE ? '.+' : '[^/]*')}/?$`);

/** Errors of requests that reach no operation. */
const EARLY = new RegExp(
  `^\\{"message":"(?:${[
    'Route .* not found',
    'Send POST /_emulator/records ',
    'The emulator does not .* is not implemented',
    'Invalid sandbox name',
    'Sandbox limit reached',
    'Sandbox .* is closed',
    'Rate limit exceeded',
    'The control API accepts loopback hosts',
    'Pages and json-server are served over HTTP only',
    'Bad Request: the header Host is missing',
    'Expectation Failed',
    'Too many wrong control tokens',
    'Too many bytes wait for clients',
    'The control API does not accept requests from pages of other sites',
  ].join('|')})`,
);

/** Statuses of malformed paths and bodies, which come before that of a missing route. */
const PARSED_EARLY: ReadonlySet<number> = new Set([400, 413, 415]);

const documents = new Map<string, Conformance>();

/** Returns the document in a file, read on first use. */
function documentIn(file: string): Conformance {
  const document = documents.get(file) ?? new Conformance(file);
  documents.set(file, document);
  return document;
}

/** Responses that violate the documents, since the last call. */
const violations: string[] = [];
export const takeViolations = (): string[] => violations.splice(0);

/** Checks a response against the documents. Faults, preflights, tools, the root and the data browser are not in them. */
export function watch(request: Pick<HttpRequest, 'method' | 'target'>, response: HttpResponse): void {
  const violation = findViolation(request, response);
  if (violation !== undefined) violations.push(violation);
}

export function findViolation(
  request: Pick<HttpRequest, 'method' | 'target'>,
  response: HttpResponse,
): string | undefined {
  if (response.fault || request.method === 'OPTIONS') return undefined;
  const sent = request.target.replace(/[?#;].*$/s, '').replace(/^\/_sandbox\/[^/]*/, '');
  // An encoded letter of a path is the same as a plain one.
  const path = sent.replace(/%[3-7][\da-f]/gi, decodeURIComponent);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  // The tools have a protocol of their own, and lists of their schemas.
  if (/^\/(?:v3\/mcp\/?|\.well-known\/.*)$/.test(path)) return undefined;
  if (isRead && /^(?:(?:\/_emulator)?\/?|\/favicon\.ico)$/.test(path) && response.status < 400) return undefined;
  if (/^\/_emulator\/db(?:\/|$)/.test(path)) return undefined;
  const document = documentIn(path.startsWith('/_emulator/') ? 'openapi-control.json' : 'openapi.json');
  const method = request.method === 'HEAD' ? 'get' : request.method.toLowerCase();
  const violation = document.findViolation(method, path, response);
  return violation && `${request.method} ${request.target}: ${response.status} ${response.body} ${violation}`;
}
