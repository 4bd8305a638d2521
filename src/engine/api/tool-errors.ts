import { didYouMean, formatValue } from '../lib/messages.js';
import { isObject } from '../lib/objects.js';
import type { SchemaError } from '../lib/validator.js';

// The words of zod 4, by which the service checks the arguments of its tools. Source: fragments that published skills quote.

/** Describes what is wrong with the arguments of a tool: `limit: Invalid input: expected number, received string`. */
export function describeArguments(errors: readonly SchemaError[] | null | undefined): string {
  const all = errors ?? [];
  // The error of a union says more than the errors of its branches.
  const unions = all.filter(({ keyword }) => keyword === 'anyOf').map(({ schemaPath }) => `${schemaPath}/`);
  const relevant = all.filter(({ schemaPath }) => !unions.some((union) => schemaPath.startsWith(union)));
  return [...new Set(relevant.map(describe))].join(', ');
}

/** Says what was sent instead of the right arguments, and what may have been meant. @param open the arguments without secrets */
export function explainArguments(
  errors: readonly SchemaError[] | null | undefined,
  args: unknown,
  known: readonly string[],
  open: readonly string[],
): { readonly reason: string; readonly suggestion: string | null } {
  const values = new Map(
    (errors ?? []).flatMap(({ instancePath, data }) =>
      open.includes(instancePath.split('/')[1] ?? '')
        ? [[instancePath.slice(1).replaceAll('/', '.'), data] as const]
        : [],
    ),
  );
  const reason = Array.from(values, ([path, value]) => `${path} was ${formatValue(value)}`).join(', ');
  for (const key of isObject(args) ? Object.keys(args) : []) {
    const hint = known.includes(key) ? '' : didYouMean(key, known);
    if (hint !== '') return { reason, suggestion: `Found ${formatValue(key)} in the arguments.${hint}` };
  }
  const isText = (errors ?? []).some(({ keyword, data }) => keyword === 'type' && typeof data === 'string');
  return { reason, suggestion: isText ? 'Send numbers, booleans and objects as JSON, not in a string' : null };
}

function describe(error: SchemaError): string {
  const path = error.instancePath.split('/').slice(1);
  if (typeof error.params.missingProperty === 'string') path.push(error.params.missingProperty);
  const message = describeKeyword(error);
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

function describeKeyword({ keyword, params, parentSchema = {}, data, message = '' }: SchemaError): string {
  const limit = String(params.limit);
  switch (keyword) {
    case 'required':
      return mismatch(findExpected(parentSchema, String(params.missingProperty)), undefined);
    case 'type':
      return mismatch(typeof data === 'number' ? toKind(parentSchema.type) : toBase(parentSchema.type), data);
    case 'enum':
      return `Invalid option: expected one of ${list(params.allowedValues)}`;
    case 'const':
      return `Invalid input: expected ${JSON.stringify(params.allowedValue)}`;
    case 'minLength':
      return `Too small: expected string to have >=${limit} characters`;
    case 'maxLength':
      return `Too big: expected string to have <=${limit} characters`;
    case 'minimum':
      return `Too small: expected number to be >=${limit}`;
    case 'maximum':
      return `Too big: expected number to be <=${limit}`;
    case 'maxItems':
      return `Too big: expected array to have <=${limit} items`;
    case 'pattern':
      return `Invalid string: must match pattern /${String(params.pattern)}/`;
    case 'anyOf':
      return 'Invalid input';
    default:
      return `Invalid input: ${message}`;
  }
}

const list = (values: unknown): string =>
  Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join('|') : '';

/** Names the type that a missing property would have. */
function findExpected({ properties }: { readonly [keyword: string]: unknown }, name: string): string {
  const schema = isObject(properties) ? properties[name] : undefined;
  return toBase(isObject(schema) ? schema.type : undefined);
}

const toKind = (type: unknown): string => (type === 'integer' ? 'int' : toBase(type));

/** Names a type as zod checks it first. */
const toBase = (type: unknown): string =>
  type === 'integer' ? 'number' : typeof type === 'string' ? type : 'another value';

const mismatch = (expected: string, data: unknown): string =>
  `Invalid input: expected ${expected}, received ${
    data === undefined ? 'undefined' : data === null ? 'null' : Array.isArray(data) ? 'array' : typeof data
  }`;
