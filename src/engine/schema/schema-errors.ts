import type { Problem } from '../lib/errors.js';
import { didYouMean, findSimilar, formatValue, joinAlternatives, joinPath } from '../lib/messages.js';
import { isObject } from '../lib/objects.js';
import { formatCount } from '../lib/text.js';
import type { SchemaError } from './validator.js';

/** The keywords of a schema that messages use. Our annotations: `expected` describes valid values, `otherNames` are of other programs. */
interface SchemaInfo {
  readonly [keyword: string]: unknown;
  readonly expected?: string;
  readonly otherNames?: readonly string[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly anyOf?: readonly SchemaInfo[];
  readonly properties?: Readonly<Record<string, SchemaInfo>>;
}

/**
 * Describes the errors of a `strict` or `query` validator, one problem per path.
 * @param path path of the validated value, empty for the root
 */
export function describeErrors(errors: readonly SchemaError[] | null | undefined, path: string): Problem[] {
  const all = errors ?? [];
  // The error of a union says more than the errors of its branches, but of one for objects, the branch does of an object.
  const unions = new Map(
    all.filter(isUnion).map((error) => {
      const branch = findBranch(error);
      return [branch ?? error.schemaPath, { below: `${error.schemaPath}/`, branch }];
    }),
  );
  const relevant = all.filter(
    (error) =>
      !(isUnion(error) && findBranch(error)) &&
      ![...unions.values()].some(
        ({ below, branch }) => error.schemaPath.startsWith(below) && !(branch && error.schemaPath.startsWith(branch)),
      ),
  );
  const misspelt = new Set(relevant.flatMap(findMisspelt));
  const problems = new Map<string, Problem>();
  for (const error of relevant) {
    const problemPath = joinPointer(path, error.instancePath);
    const key = typeof error.params.missingProperty === 'string' ? error.params.missingProperty : undefined;
    if (key !== undefined && misspelt.has(`${error.instancePath}/${key}`)) continue;
    const problem = describeError(error, problemPath);
    if (!problems.has(problem.path)) problems.set(problem.path, problem);
  }
  return [...problems.values()];
}

const isUnion = ({ keyword }: SchemaError): boolean => keyword === 'anyOf';

/** Finds the path of the only branch of a union that may describe an object. Undefined for another value. */
function findBranch({ data, parentSchema, schemaPath }: SchemaError): string | undefined {
  const { anyOf = [], expected }: SchemaInfo = parentSchema ?? {};
  const index = anyOf.findIndex(({ type }) => type === 'object');
  const isOnly = index >= 0 && index === anyOf.findLastIndex(({ type }) => type === 'object');
  return isObject(data) && isOnly && expected === undefined ? `${schemaPath}/${index}/` : undefined;
}

/** The required keys that an unknown key was probably meant to be. */
function findMisspelt({ keyword, instancePath, params, parentSchema }: SchemaError): string[] {
  if (keyword !== 'additionalProperties') return [];
  const [name] = findSimilar(String(params.additionalProperty), knownKeys(parentSchema));
  return name === undefined ? [] : [`${instancePath}/${name}`];
}

const isString = (value: unknown): value is string => typeof value === 'string';

const knownKeys = (schema: SchemaInfo = {}): string[] => Object.keys(schema.properties ?? {});

function describeError({ keyword, params, parentSchema, data }: SchemaError, path: string): Problem {
  const schema: SchemaInfo = parentSchema ?? {};
  if (keyword === 'additionalProperties') {
    const key = String(params.additionalProperty);
    const known = knownKeys(schema);
    const all = known.length === 0 ? 'Remove it: none is expected here' : `Known keys: ${known.join(', ')}`;
    const meant = known.find((name) => schema.properties?.[name]?.otherNames?.includes(key));
    const hint = didYouMean(meant ?? key, known) || ` ${all}.`;
    return { path: joinPath(path, key), message: `unknown key.${hint}` };
  }
  if (keyword === 'required') {
    const key = String(params.missingProperty);
    const expected = describeExpected(schema.properties?.[key] ?? {}, 'type');
    return { path: joinPath(path, key), message: `missing; expected ${expected}.` };
  }
  const hint = keyword === 'enum' ? didYouMean(data, (schema.enum ?? []).filter(isString)) : '';
  return { path, message: `found ${formatValue(data)}; expected ${describeExpected(schema, keyword)}.${hint}` };
}

function describeExpected(schema: SchemaInfo, keyword: string): string {
  const { expected, type, format, anyOf, maxItems, minLength, maxLength } = schema;
  if (expected !== undefined) return expected;
  if (keyword === 'maxItems' && maxItems !== undefined) return `at most ${formatCount(maxItems, 'item')}`;
  if (keyword === 'minLength' && minLength !== undefined) return `at least ${formatCount(minLength, 'character')}`;
  if (keyword === 'maxLength' && maxLength !== undefined) return `at most ${formatCount(maxLength, 'character')}`;
  if (keyword === 'minimum' && schema.minimum !== undefined) return `at least ${schema.minimum}`;
  if (keyword === 'maximum' && schema.maximum !== undefined) return `at most ${schema.maximum}`;
  if (schema.enum) return joinAlternatives(schema.enum.map(formatValue));
  if (anyOf) {
    const branches = anyOf.filter((branch) => branch.type !== 'null');
    return joinAlternatives(branches.map((branch) => describeExpected(branch, 'type')));
  }
  if (format === 'uri' && keyword !== 'type') return 'a URL';
  if (type === 'integer') return 'a whole number';
  if (type === undefined) return 'another value';
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

function joinPointer(path: string, pointer: string): string {
  const keys = pointer.split('/').slice(1);
  return keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((parent, key) => joinPath(parent, /^\d+$/.test(key) ? Number(key) : key), path);
}
