import type { ErrorObject, ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { ErrorBody } from '../../api/errors.js';
import type { Route } from '../../api/route.js';
import { createAjv } from '../../lib/ajv.js';
import type { Difference } from '../compare.js';

type Violation = Pick<Difference, 'kind' | 'path'> & {
  /** What the body has, and what the document allows. */
  readonly found: string;
  readonly allowed: string;
};

/** The schemas of responses in the OpenAPI document. */
export class ResponseDocument {
  readonly #ajv = createAjv('response', { allErrors: true, verbose: true });
  readonly #compiled = new Map<TSchema, ValidateFunction>();

  /** Whether the document of a route names a status. */
  hasStatus = ({ status, errors }: Route, found: number): boolean => found === status || errors.includes(found);

  /** Lists where a body violates the schema of its route and status, each path once. */
  check({ response }: Route, status: number, body: unknown): Violation[] {
    const schema: TSchema = status < 400 ? response : ErrorBody;
    const validate = this.#compiled.get(schema) ?? this.#ajv.compile(schema);
    this.#compiled.set(schema, validate);
    if (validate(body)) return [];
    const violations = new Map((validate.errors ?? []).map((error) => [toPath(error), toViolation(error)]));
    // A schema with alternatives fails as a whole as well.
    const isWhole = ({ path, kind }: Violation) =>
      kind === 'type' && [...violations.keys()].some((other) => other !== path && other.startsWith(path));
    return [...violations.values()].filter((violation) => !isWhole(violation));
  }
}

function toViolation(error: ErrorObject): Violation {
  const path = toPath(error);
  if (error.keyword === 'required') return { kind: 'key', path, found: 'no such key', allowed: 'must have it' };
  if (error.keyword === 'additionalProperties')
    return { kind: 'key', path, found: 'the key', allowed: 'must not have it' };
  return { kind: 'type', path, found: typeName(error.data), allowed: error.message ?? error.keyword };
}

/** Returns the path of an error, the same for all items of a list: `$.data[].val.version`. */
function toPath({ instancePath, params }: ErrorObject): string {
  const key: unknown = params.missingProperty ?? params.additionalProperty;
  const steps = instancePath.split('/').slice(1);
  const path = steps.map((step) => (/^\d+$/.test(step) ? '[]' : `.${step}`)).join('');
  return `$${path}${key === undefined ? '' : `.${String(key)}`}`;
}

export function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
