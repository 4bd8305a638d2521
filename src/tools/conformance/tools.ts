import { isObject } from '#engine/lib/objects.js';

/** A tool as an emulator defines it. */
export interface OwnTool {
  readonly name: string;
  readonly input: object;
  /** What no public source has: the whole tool, or some arguments. */
  readonly guessed: true | readonly string[];
}

/** A difference between the tools of a service and of the emulator. */
export interface ToolDifference {
  readonly tool: string;
  readonly argument: string | null;
  readonly problem: 'missing' | 'extra' | 'type' | 'required';
  /** Of the service. */
  readonly found: string | null;
  /** Of the emulator. */
  readonly own: string | null;
  /** Whether it is about a guess of the emulator. */
  readonly guessed: boolean;
}

interface Argument {
  readonly type: string;
  readonly required: boolean;
}

/**
 * Reads a recorded response to `tools/list`: the tools, the message that has them, or its event stream.
 * @returns the input schemas by name; undefined for another text
 */
export function readToolList(text: string): ReadonlyMap<string, unknown> | undefined {
  const value = parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  const list = isObject(value) && isObject(value.result) ? value.result.tools : isObject(value) ? value.tools : value;
  if (!Array.isArray(list)) return undefined;
  const tools = list.filter(isObject).filter(({ name }) => typeof name === 'string');
  if (tools.length !== list.length) return undefined;
  return new Map(tools.map(({ name, inputSchema }) => [String(name), inputSchema]));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Compares the tools of a service with the tools of the emulator: names, and names and types of arguments. */
export function compareTools(found: ReadonlyMap<string, unknown>, own: readonly OwnTool[]): ToolDifference[] {
  const known = new Map(own.map((tool) => [tool.name, tool]));
  const missing = [...found.keys()].filter((name) => !known.has(name));
  return [
    ...missing.map((tool) => differ({ tool, problem: 'missing', found: 'a tool' })),
    ...own.flatMap((tool) => {
      const { name, guessed } = tool;
      if (!found.has(name)) return differ({ tool: name, problem: 'extra', own: 'a tool', guessed: guessed === true });
      return compareArguments(tool, listArguments(found.get(name)));
    }),
  ];
}

const differ = (difference: Pick<ToolDifference, 'tool' | 'problem'> & Partial<ToolDifference>): ToolDifference => ({
  ...{ argument: null, found: null, own: null, guessed: false },
  ...difference,
});

function compareArguments({ name: tool, input, guessed }: OwnTool, found: ReadonlyMap<string, Argument>) {
  const own = listArguments(input);
  const names = new Set([...found.keys(), ...own.keys()]);
  return [...names].flatMap((argument): ToolDifference[] => {
    const [theirs, ours] = [found.get(argument), own.get(argument)];
    const isGuessed = guessed === true || guessed.includes(argument);
    const make = (problem: ToolDifference['problem'], a: string | null, b: string | null) =>
      differ({ tool, argument, problem, found: a, own: b, guessed: isGuessed });
    if (!ours || !theirs) return [make(ours ? 'extra' : 'missing', theirs?.type ?? null, ours?.type ?? null)];
    return [
      ...(theirs.type === ours.type ? [] : [make('type', theirs.type, ours.type)]),
      ...(theirs.required === ours.required ? [] : [make('required', String(theirs.required), String(ours.required))]),
    ];
  });
}

function listArguments(schema: unknown): ReadonlyMap<string, Argument> {
  const { properties, required } = isObject(schema) ? schema : {};
  const needed = Array.isArray(required) ? required : [];
  const entries = isObject(properties) ? Object.entries(properties) : [];
  return new Map(entries.map(([name, each]) => [name, { type: describeType(each), required: needed.includes(name) }]));
}

/** Names a type. An integer is a number, since schemas differ in whether they say so. */
function describeType(schema: unknown): string {
  if (!isObject(schema)) return 'any';
  const { anyOf, oneOf, type, enum: values } = schema;
  const branches = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined;
  if (branches) return [...new Set(branches.map(describeType))].sort().join('|');
  if (Array.isArray(type))
    return type
      .map((each) => (each === 'integer' ? 'number' : String(each)))
      .sort()
      .join('|');
  if (type === undefined)
    return Array.isArray(values) ? [...new Set(values.map((each) => typeof each))].join('|') : 'any';
  return type === 'integer' ? 'number' : String(type);
}

/** Formats the differences in lines. */
export function formatToolDifferences(differences: readonly ToolDifference[], count: number): string {
  const lines = differences.map(({ tool, argument, problem, found, own, guessed }) => {
    const subject = argument === null ? tool : `${tool}.${argument}`;
    const detail =
      problem === 'missing'
        ? 'the emulator lacks it'
        : problem === 'extra'
          ? 'the service lacks it'
          : `${problem}: ${found}; the emulator has ${own}`;
    return `  ${subject}: ${detail}${guessed ? ' (a guess)' : ''}`;
  });
  const total = `${count} tools of the service: ${differences.length} differences`;
  return [...lines, total].join('\n');
}
