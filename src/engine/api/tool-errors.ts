import { parseJsonIfValid } from '../lib/json.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import { isObject } from '../lib/objects.js';
import type { SchemaError } from '../schema/validator.js';

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
  return { reason, suggestion: suggestKey(errors ?? [], args, known) ?? suggestValue(errors ?? []) };
}

/** Suggests a missing argument in the place of an unknown one: the one whose name is a part of its name, or the only one. */
function suggestKey(errors: readonly SchemaError[], args: unknown, known: readonly string[]): string | undefined {
  const missing = errors.flatMap(({ instancePath, params: { missingProperty } }) =>
    instancePath === '' && typeof missingProperty === 'string' ? [missingProperty] : [],
  );
  const unknown = isObject(args) ? Object.keys(args).filter((key) => !known.includes(key)) : [];
  for (const key of unknown) {
    const name = missing.find((each) => contains(key, each) || contains(each, key));
    if (name !== undefined) return `Found ${formatValue(key)} in the arguments. Did you mean ${formatValue(name)}?`;
  }
  if (missing.length !== 1 || unknown.length !== 1) return undefined;
  return `Found ${formatValue(unknown[0])} in the arguments; expected ${formatValue(missing[0])}`;
}

const contains = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

/** Suggests the shape of the first value that is missing or has another shape. */
function suggestValue(errors: readonly SchemaError[]): string | null {
  const texts = errors.filter(({ keyword, data }) => keyword === 'type' && typeof data === 'string');
  const isJson = ({ data, parentSchema }: SchemaError) =>
    /^(?:integer|number|boolean)$/.test(String(parentSchema?.type)) || parseJsonIfValid(String(data)) !== undefined;
  if (texts.some(isJson)) return 'Send numbers, booleans and objects as JSON, not in a string';
  for (const { keyword, instancePath, params, parentSchema } of errors.toReversed()) {
    const [, path = ''] = /^\/(.*)$/.exec(instancePath) ?? [];
    const missing = keyword === 'required' && path === '' ? String(params.missingProperty) : undefined;
    const isShape = keyword === 'anyOf' || keyword === 'type';
    const schema = missing === undefined ? parentSchema : Object(parentSchema?.properties)[missing];
    const shape = missing !== undefined || isShape ? toShape(schema) : undefined;
    if (shape !== undefined) return `Send ${missing ?? path.replaceAll('/', '.')} as ${JSON.stringify(shape)}`;
  }
  return null;
}

/** Makes a value of a schema, with the required properties: `{ type: 'val', val: 'owner/name' }`. Undefined where the schema has no example. */
function toShape(schema: unknown): unknown {
  if (!isObject(schema)) return undefined;
  const { anyOf, enum: allowed, const: only, type, properties, required, description } = schema;
  if (only !== undefined) return only;
  if (Array.isArray(allowed)) return allowed[0];
  if (Array.isArray(anyOf)) return toShape(anyOf[0]);
  if (type === 'string') return /"([^"]+)"/.exec(String(description))?.[1];
  if (type !== 'object' || !Array.isArray(required)) return undefined;
  return Object.fromEntries(required.map((name) => [name, toShape(Object(properties)[name]) ?? '…']));
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
