import { Ajv, type Options } from 'ajv';
import formats from 'ajv-formats';
import { FORMATS } from '../lib/time.js';

/**
 * How a value is validated.
 * - `wire`: as the real service does. Source: the options of Fastify's validator compiler. Values are coerced and
 *   defaults filled in, in place, and the first error ends the check.
 * - `query`: coerced in the same way, and all errors are reported.
 * - `strict`: nothing is coerced, defaults are filled in, and all errors are reported.
 * - `response`: nothing is coerced or filled in, and the first error ends the check: for commands that read responses.
 */
export type ValidationMode = 'wire' | 'query' | 'strict' | 'response';

/** Coercion turns `1e400` into Infinity. Without strict numbers, bounds apply to it. */
const COERCE = { coerceTypes: 'array', useDefaults: true, strictNumbers: false } as const;
const OPTIONS: Readonly<Record<ValidationMode, Options>> = {
  wire: { ...COERCE, removeAdditional: true, allErrors: false },
  query: { ...COERCE, allErrors: true, verbose: true },
  strict: { useDefaults: true, allErrors: true, verbose: true },
  response: {},
};

/** Ajv warns of a format that it does not know, and accepts each value of it. */
const logger = {
  ...console,
  warn(message: string) {
    throw new Error(message);
  },
};

/** @internal Creates an Ajv with the formats of JSON Schema and of fixtures. */
export function createAjv(mode: ValidationMode, options: Options = {}): Ajv {
  // Schemas are checked by the tests, which spares each start the meta-schema.
  const unchecked = { validateSchema: false, meta: false, strict: false, logger };
  const ajv = new Ajv({ strictNumbers: true, ...OPTIONS[mode], ...unchecked, ...options });
  formats.default(ajv);
  for (const [name, isValid] of Object.entries(FORMATS)) ajv.addFormat(name, isValid);
  return ajv;
}
