import type { ErrorObject, ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { ErrorBody } from '../../api/errors.js';
import type { Route } from '../../api/route.js';
import { createAjv } from '../../lib/ajv.js';
import type { Difference } from '../compare.js';

type Violation = Pick<Difference, 'symptom' | 'at'> & {
  /** What is there, and what the document allows: `a missing key`. */
  readonly found: string;
  readonly allowed: string;
};

/** The schemas of responses, as the OpenAPI document has them. */
export class ResponseDocument {
  readonly #ajv = createAjv('response', { allErrors: true, verbose: true });
  readonly #compiled = new Map<TSchema, ValidateFunction>();

  /** Whether the document of a route names a status. Any route may be busy. */
  hasStatus = ({ status, errors }: Route, found: number): boolean => found === status || errors.includes(found);

  /** Lists where a body departs from the schema of its route and status, each place once. */
  check({ response }: Route, status: number, body: unknown): Violation[] {
    const schema: TSchema = status < 400 ? response : ErrorBody;
    const validate = this.#compiled.get(schema) ?? this.#ajv.compile(schema);
    this.#compiled.set(schema, validate);
    if (validate(body)) return [];
    const violations = new Map((validate.errors ?? []).map((error) => [toPath(error), toViolation(error)]));
    // A schema with alternatives fails as a whole as well.
    const isWhole = ({ at, symptom }: Violation) =>
      symptom === 'type' && [...violations.keys()].some((other) => other !== at && other.startsWith(at));
    return [...violations.values()].filter((violation) => !isWhole(violation));
  }
}

function toViolation(error: ErrorObject): Violation {
  const at = toPath(error);
  if (error.keyword === 'required') return { symptom: 'key', at, found: 'no such key', allowed: 'must have it' };
  if (error.keyword === 'additionalProperties')
    return { symptom: 'key', at, found: 'the key', allowed: 'must not have it' };
  return { symptom: 'type', at, found: typeName(error.data), allowed: error.message ?? error.keyword };
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
