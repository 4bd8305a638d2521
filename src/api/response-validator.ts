import type { ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { createAjv } from '../lib/ajv.js';
import { ApiError } from '../lib/errors.js';
import { SerializedJson } from './serialize.js';
import { toSentences } from './validate.js';

/** Checks responses against the schemas of their routes, for tests of the emulator. Loaded only for them. */
export class ResponseValidator {
  readonly #ajv = createAjv('strict');
  readonly #compiled = new Map<string, ValidateFunction>();

  /** @throws ApiError 500 for a response that does not match its schema */
  validate({ name, status, response }: { name: string; status: number; response: TSchema }, value: unknown): void {
    // JSON Schema cannot describe an absent value.
    if (status === 204 && value === undefined) return;
    const isValid = this.#compiled.get(name) ?? this.#ajv.compile(response);
    this.#compiled.set(name, isValid);
    const plain = value instanceof SerializedJson ? JSON.parse(value.text) : structuredClone(value);
    if (!isValid(plain)) throw new ApiError(500, toSentences('response', isValid.errors));
  }
}
