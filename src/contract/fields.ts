import * as z from 'zod';
import { named } from './components.js';

/** Limits of the API. Source: the service's published OpenAPI documents of June to November 2024. */
export const LIMITS = {
  /** Characters in the name of a val. */
  name: 48,
  /** Characters in the code of a version. */
  code: 256_000,
  /** Characters in a readme. */
  readme: 8_192,
  /** Characters in a search query. */
  query: 512,
  /** Items on a page. */
  page: 100,
  /** Items on a page when the caller does not say. */
  defaultPage: 20,
  /** Bytes in a request body: the default of the real service's framework. */
  body: 1_048_576,
  /** Bytes in a request to the emulator's own API, whose bodies can be whole worlds: what fits into a string. */
  controlBody: 512 * 1_048_576 - 64,
} as const;

/** Text measured in characters as JSON Schema counts them: code points, so that an emoji is one. */
export const text = (least: number, most: number) =>
  z
    .string()
    .superRefine((value, context) => {
      const length = value.length <= most && value.length >= 2 * least ? value.length : [...value].length;
      if (length < least) context.addIssue({ code: 'too_small', origin: 'string', minimum: least, input: value });
      if (length > most) context.addIssue({ code: 'too_big', origin: 'string', maximum: most, input: value });
    })
    .meta({ minLength: least, maxLength: most });

/** Anything that JSON can write. */
export const json = named('Json', z.json());

/** An id in a path or a fixture: any version of UUID, compared without regard to case. */
export const uuid = z.guid().toLowerCase();

/** A query parameter that is a whole number. */
export const integerParameter = (schema: z.ZodType<number>) =>
  z.preprocess((value, context) => {
    if (typeof value === 'string' && /^-?\d+$/.test(value)) return Number(value);
    // The schema itself would ask for any number here.
    if (value !== undefined) context.addIssue({ code: 'invalid_type', expected: 'int', input: value });
    return undefined;
  }, schema);

/** A query parameter that is `true` or `false`. */
export const booleanParameter = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean(),
);

/** A query parameter that lists some of these values, separated by commas. */
export const listParameter = <const V extends readonly string[]>(values: V) =>
  z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(z.enum(values)))
    .meta({ pattern: `^(${values.join('|')})(,(${values.join('|')}))*$` });

/** A point in time: RFC 3339, with or without fraction, any offset. Read as milliseconds since 1970. */
export const timestamp = z.preprocess(
  (value) => (typeof value === 'string' ? value.toUpperCase() : value),
  z.iso.datetime({ offset: true }),
);
export const instantParameter = timestamp.transform((value) => Date.parse(value));
