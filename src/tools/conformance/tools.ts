import { isDeepStrictEqual } from 'node:util';
import { formatValue } from '#engine/lib/messages.js';
import { isObject } from '#engine/lib/objects.js';
import { readMessage } from './message.js';

/** A tool as an emulator defines it. */
export interface OwnTool {
  readonly name: string;
  readonly input: object;
  readonly annotations?: Readonly<Record<string, boolean>>;
  /** What no public source has: the whole tool, or some arguments. */
  readonly guessed: true | readonly string[];
}

/** A tool as a service lists it. */
export interface FoundTool {
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
}

/** A difference between the tools of a service and of the emulator. */
export interface ToolDifference {
  readonly tool: string;
  /** Where in the tool: names of arguments, `[]` for the items of a list; null for the tool itself. */
  readonly path: string | null;
  /** `missing` in the emulator, `extra` in it, or the keyword whose values differ. */
  readonly problem: string;
  /** Of the service. */
  readonly found: string | null;
  /** Of the emulator. */
  readonly own: string | null;
  /** Whether a call that the emulator accepts is refused by the service. */
  readonly breaks: boolean;
  /** Whether it is about a guess of the emulator. */
  readonly guessed: boolean;
}

/**
 * Reads a recorded response to `tools/list`: the tools, the message that has them, or its event stream.
 * @returns the tools by name; undefined for another text
 */
export function readToolList(text: string): ReadonlyMap<string, FoundTool> | undefined {
  const value = readMessage(text);
  const list = isObject(value) && isObject(value.result) ? value.result.tools : isObject(value) ? value.tools : value;
  if (!Array.isArray(list)) return undefined;
  const tools = list.filter(isObject).filter(({ name }) => typeof name === 'string');
  if (tools.length !== list.length) return undefined;
  return new Map(tools.map((tool) => [String(tool.name), tool]));
}

/** Compares the tools of a service with the tools of the emulator: names, schemas in depth, and hints. Texts are in our words. */
export function compareTools(found: ReadonlyMap<string, FoundTool>, own: readonly OwnTool[]): ToolDifference[] {
  const known = new Set(own.map(({ name }) => name));
  const missing = [...found.keys()].filter((name) => !known.has(name));
  return [
    ...missing.map((tool) => differ({ tool, problem: 'missing', found: 'a tool' })),
    ...own.flatMap((tool) => {
      const { name, guessed } = tool;
      const theirs = found.get(name);
      if (theirs) return compareTool(theirs, tool);
      return differ({ tool: name, problem: 'extra', own: 'a tool', breaks: true, guessed: guessed === true });
    }),
  ];
}

const differ = (difference: Pick<ToolDifference, 'tool' | 'problem'> & Partial<ToolDifference>): ToolDifference => ({
  ...{ path: null, found: null, own: null, breaks: false, guessed: false },
  ...difference,
});

function compareTool(theirs: FoundTool, { name: tool, input, guessed, annotations = {} }: OwnTool) {
  const isGuessed = (path: string) => guessed === true || guessed.includes(path.split(/[.[]/, 1)[0] ?? '');
  const hints = isObject(theirs.annotations) ? theirs.annotations : {};
  return [
    ...compareSchemas(theirs.inputSchema, input).map((each) =>
      differ({ tool, ...each, path: each.path || null, guessed: isGuessed(each.path) }),
    ),
    // A tool of the emulator promises no shape of its result.
    ...(theirs.outputSchema === undefined ? [] : [differ({ tool, problem: 'outputSchema', found: 'a schema' })]),
    // A host may ask before more calls, or before fewer.
    ...[...new Set([...Object.keys(hints), ...Object.keys(annotations)])]
      .filter((hint) => hint.endsWith('Hint') && Boolean(hints[hint]) !== Boolean(annotations[hint]))
      .map((hint) =>
        differ({ tool, problem: hint, found: String(Boolean(hints[hint])), own: String(Boolean(annotations[hint])) }),
      ),
  ];
}

type Difference = Pick<ToolDifference, 'problem' | 'found' | 'own' | 'breaks'> & { readonly path: string };

const show = (value: unknown): string => (value === undefined ? 'none' : formatValue(value));

/** Compares two schemas at each depth. */
function compareSchemas(theirs: unknown, ours: unknown, path = ''): Difference[] {
  const [found, own] = [shapeOf(theirs), shapeOf(ours)];
  const make = (problem: string, a: unknown, b: unknown, breaks: boolean): Difference => ({
    ...{ path, problem, found: show(a), own: show(b), breaks },
  });
  const names = new Set([...found.properties.keys(), ...own.properties.keys()]);
  return [
    ...compareTypes(found, own, make),
    ...compareEnums(found, own, make),
    ...compareBounds(found.schema, own.schema, make),
    ...(isDeepStrictEqual(found.schema.default, own.schema.default)
      ? []
      : [make('default', found.schema.default, own.schema.default, false)]),
    ...(own.schema.additionalProperties !== false && found.schema.additionalProperties === false
      ? [make('additionalProperties', false, own.schema.additionalProperties, false)]
      : []),
    ...[...names].flatMap((name): Difference[] => {
      const at = path === '' ? name : `${path}.${name}`;
      const [their, our] = [found.properties.get(name), own.properties.get(name)];
      const isNeeded = found.required.has(name);
      if (our === undefined) return [{ ...make('missing', typesOf(their), undefined, isNeeded), path: at }];
      if (their === undefined) return [{ ...make('extra', undefined, typesOf(our), true), path: at }];
      return [
        ...(isNeeded === own.required.has(name)
          ? []
          : [{ ...make('required', isNeeded, !isNeeded, isNeeded), path: at }]),
        ...compareSchemas(their, our, at),
      ];
    }),
    ...(found.items === undefined || own.items === undefined
      ? []
      : compareSchemas(found.items, own.items, `${path}[]`)),
  ];
}

/** What a schema says of its values, with the branches of a union as one. */
interface Shape {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly types: ReadonlySet<string>;
  /** Undefined for any value of its types. */
  readonly values: readonly unknown[] | undefined;
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<unknown>;
  readonly items: unknown;
}

function shapeOf(value: unknown): Shape {
  const outer = isObject(value) ? value : {};
  const union = [outer.anyOf, outer.oneOf].find(Array.isArray);
  const branches = (union ?? [outer]).filter(isObject);
  const schema: Record<string, unknown> = Object.assign({}, ...branches, outer);
  const objects = branches.filter(({ properties }) => isObject(properties));
  const properties = new Map<string, readonly unknown[]>();
  for (const [name, each] of objects.flatMap((branch) => Object.entries(branch.properties ?? {})))
    properties.set(name, [...(properties.get(name) ?? []), each]);
  const needed = objects.map(({ required }) => new Set<unknown>(Array.isArray(required) ? required : []));
  const listed = branches
    .filter(({ type }) => type !== 'null')
    .map((branch) => (Array.isArray(branch.enum) ? branch.enum : 'const' in branch ? [branch.const] : undefined));
  return {
    schema,
    types: new Set(branches.flatMap(listTypes)),
    values: listed.every((values) => values !== undefined) ? listed.flat() : undefined,
    properties: new Map(Array.from(properties, ([name, all]) => [name, all.length > 1 ? { anyOf: all } : all[0]])),
    required: new Set([...(needed[0] ?? [])].filter((name) => needed.every((names) => names.has(name)))),
    items: schema.items,
  };
}

function listTypes({ type, enum: values, properties, items }: Readonly<Record<string, unknown>>): string[] {
  if (type !== undefined) return [type].flat().map(String);
  if (Array.isArray(values)) return values.map((each) => (each === null ? 'null' : typeof each));
  return properties !== undefined ? ['object'] : items !== undefined ? ['array'] : ['any'];
}

const typesOf = (schema: unknown): string => [...shapeOf(schema).types].sort().join('|');

type Make = (problem: string, found: unknown, own: unknown, breaks: boolean) => Difference;

function compareTypes(found: Shape, own: Shape, make: Make): Difference[] {
  const [theirs, ours] = [[...found.types].sort().join('|'), [...own.types].sort().join('|')];
  if (theirs === ours) return [];
  // Whole numbers are what callers send, whether a schema says so or not.
  const accepts = (type: string) =>
    found.types.has(type) || found.types.has('any') || (isNumber(type) && hasNumber(found));
  return [make('type', theirs, ours, ![...own.types].every(accepts))];
}

const isNumber = (type: string): boolean => type === 'number' || type === 'integer';
const hasNumber = ({ types }: Shape): boolean => [...types].some(isNumber);

function compareEnums(found: Shape, own: Shape, make: Make): Difference[] {
  if (found.values === undefined && own.values === undefined) return [];
  const has = (values: Shape['values'], value: unknown) => values === undefined || values.includes(value);
  const isSmaller = own.values === undefined || own.values.some((value) => !has(found.values, value));
  const isLarger = found.values === undefined || found.values.some((value) => !has(own.values, value));
  return isSmaller || isLarger ? [make('enum', found.values, own.values, isSmaller)] : [];
}

/** Bounds, and whether a larger one refuses more. */
const BOUNDS: Readonly<Record<string, boolean>> = {
  ...{ minimum: true, exclusiveMinimum: true, minLength: true, minItems: true },
  ...{ maximum: false, exclusiveMaximum: false, maxLength: false, maxItems: false },
};

function compareBounds(theirs: Shape['schema'], ours: Shape['schema'], make: Make): Difference[] {
  const numbers = Object.entries(BOUNDS).flatMap(([keyword, isLower]) => {
    const [found, own] = [theirs[keyword], ours[keyword]];
    if (found === own) return [];
    const isStricter = typeof found === 'number' && (typeof own !== 'number' || (isLower ? found > own : found < own));
    return [make(keyword, found, own, isStricter)];
  });
  const texts = ['pattern', 'format'].flatMap((keyword) => {
    const [found, own] = [theirs[keyword], ours[keyword]];
    return found === own ? [] : [make(keyword, found, own, found !== undefined)];
  });
  return [...numbers, ...texts];
}

/** Formats the differences in lines, those that break callers first. */
export function formatToolDifferences(differences: readonly ToolDifference[], count: number): string {
  const lines = differences
    .toSorted((a, b) => Number(b.breaks && !b.guessed) - Number(a.breaks && !a.guessed))
    .map(({ tool, path, problem, found, own, breaks, guessed }) => {
      const subject = path === null ? tool : `${tool}.${path}`;
      const detail =
        problem === 'missing'
          ? 'the emulator lacks it'
          : problem === 'extra'
            ? 'the service lacks it'
            : `${problem}: ${found ?? 'none'}; the emulator has ${own ?? 'none'}`;
      return `  ${breaks ? 'breaks callers' : 'differs'}  ${subject}: ${detail}${guessed ? ' (a guess)' : ''}`;
    });
  const breaking = differences.filter(({ breaks, guessed }) => breaks && !guessed).length;
  const total = `${count} tools of the service: ${differences.length} differences, ${breaking} of which break callers`;
  return [...lines, total].join('\n');
}
