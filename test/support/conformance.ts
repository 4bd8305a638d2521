import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as z from 'zod';
import type { WireRequest, WireResponse } from '../../src/http/wire.js';

const Responses = z.record(z.string(), z.object({ content: z.unknown().optional() }));
const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.object({ responses: Responses }))),
});

/** An API document, and a validator of answers that knows nothing of how the document was made. */
class Conformance {
  readonly #ajv = new Ajv2020({ allErrors: true });
  readonly #paths: z.infer<typeof Document>['paths'];
  /** Paths without parameters go before others. */
  readonly #templates: readonly (readonly [path: string, pattern: RegExp])[];

  /** @param file as it is committed: another test finds out when that is stale */
  constructor(file: string) {
    const document: object = JSON.parse(readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8'));
    addFormats.default(this.#ajv);
    this.#ajv.addVocabulary(Object.keys(document));
    this.#ajv.addSchema(document, 'document');
    this.#paths = Document.parse(document).paths;
    this.#templates = Object.keys(this.#paths)
      .sort((a, b) => a.split('{').length - b.split('{').length)
      .map((path) => [path, new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`)]);
  }

  /** What is wrong with an answer, if anything is. */
  complaint(method: string, path: string, { status, headers, body }: WireResponse): string | undefined {
    const template = this.#templates.find(([, pattern]) => pattern.test(path))?.[0] ?? '';
    const response = this.#paths[template]?.[method]?.responses[status];
    const isRefused = EARLY.test(body ?? '');
    if (!response && !isRefused) return 'is not in the document';
    if (response && !response.content) return body === undefined ? undefined : 'has a body';
    if (headers['content-type'] !== 'application/json; charset=utf-8') return `is of type ${headers['content-type']}`;
    const responses = `paths/${template.replaceAll('/', '~1')}/${method}/responses`;
    const schema = response ? `${responses}/${status}/content/application~1json/schema` : 'components/schemas/Error';
    const validate = this.#validator(schema);
    return validate(JSON.parse(body ?? 'null')) ? undefined : this.#ajv.errorsText(validate.errors);
  }

  #validator(place: string): ValidateFunction {
    const validate = this.#ajv.getSchema(`document#/${place}`);
    if (!validate) throw new Error(`the document has no ${place}`);
    return validate;
  }
}

/** Errors of requests that come to no operation: there is none, or the way to it is barred. */
const EARLY = new RegExp(
  `^\\{"message":"(?:${[
    'Route .* not found',
    'The emulator does not .* is not served',
    '.* is no name for a sandbox',
    'There are .* sandboxes already',
    'Rate limit exceeded',
    'The control plane answers only',
  ].join('|')})`,
);

const documents = new Map<string, Conformance>();

/** The document in a file, read when it is first asked for. */
function documentIn(file: string): Conformance {
  const document = documents.get(file) ?? new Conformance(file);
  documents.set(file, document);
  return document;
}

/** What is wrong with the answer to a request by the documents, if anything is. */
export function complaintAbout(request: WireRequest, response: WireResponse): string | undefined {
  // A fault answers as it was told to; nobody else knows of OPTIONS; the data browser is json-server's own.
  if (response.mishap || request.method === 'OPTIONS') return undefined;
  const path = request.target.replace(/\?.*$/s, '').replace(/^\/_sandbox\/[^/]*/, '');
  if (/^\/_emulator\/db(?:\/|$)/.test(path)) return undefined;
  const document = documentIn(path.startsWith('/_emulator/') ? 'openapi-control.json' : 'openapi.json');
  const method = request.method === 'HEAD' ? 'get' : request.method.toLowerCase();
  const complaint = document.complaint(method, path, response);
  return complaint && `${request.method} ${request.target}: ${response.status} ${response.body} ${complaint}`;
}
