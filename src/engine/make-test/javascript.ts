import { Expression, quote, toLiteral } from './literal.js';
import {
  type Body,
  bodyName,
  mapPattern,
  type Pattern,
  type Place,
  type Script,
  type Step,
  Template,
  Varying,
  varies,
} from './step.js';

/** How a test runner of JavaScript is imported, and how it asserts. */
interface Runner {
  imports(hasFile: boolean, hasTypes: boolean): string[];
  /** The path of a file next to the test. */
  file(name: string): string;
  /** The lines around the calls, apart from the options. */
  readonly make: string;
  open(title: string): string;
  readonly close: string;
  varying(value: Varying): string;
  status(response: string, status: number): string;
  rejects(call: string): string;
  body(name: string, expected: string): string;
}

const isName = (key: string): boolean => /^[A-Za-z_$][\w$]*$/.test(key);

const toPath = ({ body, keys }: Place): string =>
  body +
  keys.map((key) => (typeof key === 'number' ? `[${key}]` : isName(key) ? `.${key}` : `[${quote(key)}]`)).join('');

const TYPES = { string: 'String', number: 'Number', list: 'Array' } as const;
// A value of any type is compared with itself.
const expectVarying = ({ type, place }: Varying): string =>
  type === 'any' ? toPath(place) : `expect.any(${TYPES[type]})`;

const EXPECT: Pick<Runner, 'varying' | 'status' | 'rejects' | 'body'> = {
  varying: expectVarying,
  status: (response, status) => `expect(${response}.status).toBe(${status});`,
  rejects: (call) => `await expect(${call}).rejects.toThrow();`,
  body: (name, expected) => `expect(${name}).toMatchObject(${expected});`,
};

/** The path of a file next to a module. */
const nextToModule = (name: string): string => `fileURLToPath(new URL('./${name}', import.meta.url))`;
const IMPORT_URL = "import { fileURLToPath } from 'node:url';";

export const VITEST: Runner = {
  ...EXPECT,
  imports: (hasFile) => [
    ...(hasFile ? [IMPORT_URL] : []),
    "import { emulatorTest } from 'val-emulator/vitest';",
    "import { expect } from 'vitest';",
  ],
  file: nextToModule,
  make: 'const test = emulatorTest(',
  open: (title) => `test(${quote(title)}, async ({ emulator }) => {`,
  close: '});',
};

export const JEST: Runner = {
  ...EXPECT,
  imports: () => ["const { emulatorTest, expect } = require('val-emulator/jest');"],
  file: (name) => `\`\${__dirname}/${name}\``,
  make: VITEST.make,
  open: VITEST.open,
  close: VITEST.close,
};

/** A function of the written test, in which Node's assertions have no matchers. */
const OF_TYPE = [
  '/** Asserts the type of a value that differs each time, and returns the value. */',
  'function any(type, value) {',
  "  assert.equal(Array.isArray(value) ? 'list' : typeof value, type);",
  '  return value;',
  '}',
];

export const NODE_TEST: Runner = {
  imports: (hasFile, hasTypes) => [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    ...(hasFile ? [IMPORT_URL] : []),
    "import { emulatorTest } from 'val-emulator/node-test';",
    ...(hasTypes ? ['', ...OF_TYPE] : []),
  ],
  file: nextToModule,
  make: 'const { withEmulator } = emulatorTest(',
  open: (title) => `test(${quote(title)}, withEmulator(async ({ emulator }) => {`,
  close: '}));',
  varying: ({ type, place }) => (type === 'any' ? toPath(place) : `any('${type}', ${toPath(place)})`),
  status: (response, status) => `assert.equal(${response}.status, ${status});`,
  rejects: (call) => `await assert.rejects(${call});`,
  body: (name, expected) => `assert.deepEqual(${name}, ${expected});`,
};

/** Writes a test of JavaScript. */
export function writeJavaScript(script: Script, runner: Runner): string {
  const { now, options, fixtures, fixtureFile, steps } = script;
  const settings = {
    ...options,
    now,
    fixtures: fixtureFile === undefined ? fixtures : new Expression(runner.file(fixtureFile)),
  };
  const hasTypes = steps.some(({ expected }) => varies(expected));
  const lines = [
    ...runner.imports(fixtureFile !== undefined, hasTypes),
    '',
    `${runner.make}{`,
    ...Object.entries(settings).map(([name, value]) => `  ${name}: ${toLiteral(value, '  ')},`),
    '});',
    '',
    runner.open(script.title),
    steps.map((step) => writeStep(step, runner)).join('\n\n'),
    runner.close,
  ];
  return `${lines.join('\n')}\n`;
}

/** Reads the message of an event stream, which is the JSON behind the names of its fields. */
const readStream = (response: string): string => `JSON.parse((await ${response}.text()).replace(/^[^{]*/, ''))`;

function writeStep({ id, fault, status, isStream, expected, newIds, ...step }: Step, runner: Runner): string {
  const call = writeCall(step);
  const name = bodyName(id);
  return [
    `// ${id}: ${step.title}`,
    ...(step.comment === undefined ? [] : [`// ${step.comment}`]),
    ...(fault ? [`emulator.fail(${quote(fault.route)}, ${toLiteral(fault.effect)});`] : []),
    ...(status === 0 ? [runner.rejects(call)] : [`const ${id} = await ${call};`, runner.status(id, status)]),
    ...(expected === undefined
      ? []
      : [
          `const ${name} = ${isStream ? readStream(id) : `await ${id}.json()`};`,
          runner.body(name, write(expected, '  ', runner)),
        ]),
    ...newIds.map((newId) => `const ${newId.name} = ${toPath(newId)};`),
  ]
    .map((line) => `  ${line}`)
    .join('\n');
}

function writeCall({ method, path, headers, body }: Pick<Step, 'method' | 'path' | 'headers' | 'body'>): string {
  const options = [
    ...(method === 'GET' ? [] : [`method: ${quote(method)}`]),
    ...(Object.keys(headers).length === 0 ? [] : [`headers: ${toLiteral(headers, '    ')}`]),
    ...writeBody(body),
  ];
  const block = options.length === 0 ? '' : `, {\n${options.map((line) => `    ${line},\n`).join('')}  }`;
  return `emulator.fetch(${write(path, '')}${block})`;
}

function writeBody(body: Body): string[] {
  if (body === undefined) return [];
  if ('base64' in body) return [`body: Buffer.from(${quote(body.base64)}, 'base64')`];
  return ['json' in body ? `body: JSON.stringify(${write(body.json, '    ')})` : `body: ${write(body.text, '    ')}`];
}

const write = (pattern: Pattern, indent: string, runner?: Runner): string =>
  toLiteral(
    mapPattern(pattern, (part) => {
      if (part instanceof Varying) return new Expression(runner?.varying(part) ?? toPath(part.place));
      return part instanceof Template ? new Expression(writeTemplate(part)) : part;
    }),
    indent,
  );

function writeTemplate({ parts }: Template): string {
  const [first] = parts;
  if (parts.length === 1 && typeof first === 'object') return first.name;
  const texts = parts.map((part) =>
    typeof part === 'string' ? part.replace(/[\\`]|\$\{/g, '\\$&') : `\${${part.name}}`,
  );
  return `\`${texts.join('')}\``;
}
