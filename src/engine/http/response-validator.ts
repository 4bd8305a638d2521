import { Representation } from '../api/representation.js';
import { BYTES, type Route } from '../api/route.js';
import { SerializedJson } from '../api/serialize.js';
import { ApiError } from '../lib/errors.js';
import { createAjv } from '../schema/ajv.js';
import { toSentences } from './input.js';

/** Compiles each schema once, for all emulators of a process. */
const ajv = createAjv('strict');

/**
 * Checks a response against the schema of its route, for tests of the emulator. Loaded only for them.
 * @throws ApiError 500 for a response that does not match
 */
export function validateResponse(
  { status, response }: Pick<Route<never>, 'status' | 'response'>,
  value: unknown,
): void {
  // JSON Schema cannot describe an absent value.
  if (status === 204 && value === undefined) return;
  // Nor bytes.
  if (response === BYTES && (value instanceof Uint8Array || value instanceof Representation)) return;
  const isValid = ajv.compile(response);
  const plain = value instanceof SerializedJson ? JSON.parse(value.text) : structuredClone(value);
  if (!isValid(plain)) throw new ApiError(500, toSentences('response', isValid.errors));
}

export type ValidateResponse = typeof validateResponse;
