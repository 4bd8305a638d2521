import { parseJsonIfValid } from '../../../../src/engine/lib/json.js';
import { type ApiResponse, control, controlOf, sandboxUrl, sendToApi } from '../../lib/api.js';
import { Expression, quote, toLiteral } from '../../lib/snippets.js';
import type { RequestRecord } from '../../lib/types.js';
import { hasWholeBody, toApiRequest, toBodyCode } from './copy-as.js';
import { toSendable } from './resend.js';

// Requests of the journal as a test of vitest. They are sent again to a sandbox of the same fixtures: what differs from the
// record there, such as new ids and times, would differ in the test too.

/** Longer fixtures are in a file beside the test. */
const MAX_FIXTURES = 12_000;
export const FIXTURE_FILE = 'requests.fixture.json';

export interface WrittenTest {
  readonly code: string;
  /** Undefined if the fixtures are in the test. */
  readonly fixture: string | undefined;
  /** Why the test does not expect all that was recorded. */
  readonly notes: readonly string[];
}

/** Writes a test of requests. @param entries the oldest first. @param at the state before the first of them */
export async function writeTest(entries: readonly RequestRecord[], at: string | undefined): Promise<WrittenTest> {
  const now = entries[0]?.time ?? '';
  const fixtures = selectFixtures(await control.getState({ at, brief: true }), entries);
  const { name } = await control.openSandbox({ title: 'test', fixtures });
  const url = sandboxUrl(name);
  const sandbox = controlOf(url);
  const writer = new TestWriter();
  try {
    await sandbox.changeClock({ freeze: now });
    for (const entry of entries) {
      const fault = toFault(entry);
      if (fault) await sandbox.armFault({ ...fault, route: entry.route ?? undefined });
      const { path, body, ...request } = toSendable(entry);
      const sent = {
        ...request,
        path: writer.replay(path),
        body: typeof body === 'string' ? writer.replay(body) : body,
      };
      writer.add(entry, await sendToApi(sent, url));
    }
  } finally {
    await control.closeSandbox({ name });
  }
  const json = JSON.stringify(fixtures, undefined, 2);
  const isFile = json.length > MAX_FIXTURES;
  const file = `fileURLToPath(new URL('./${FIXTURE_FILE}', import.meta.url))`;
  const titles = [...new Set(entries.map(({ route, method, path }) => route ?? `${method} ${path}`))];
  const title = titles.slice(0, 3).join(', ') + (titles.length > 3 ? ` and ${titles.length - 3} more` : '');
  const lines = [
    ...(isFile ? ["import { fileURLToPath } from 'node:url';"] : []),
    "import { emulatorTest } from 'val-emulator/vitest';",
    "import { expect } from 'vitest';",
    '',
    'const test = emulatorTest({',
    `  now: ${quote(now)},`,
    `  fixtures: ${isFile ? file : toLiteral(fixtures, '  ')},`,
    '});',
    '',
    `test(${quote(title)}, async ({ emulator }) => {`,
    writer.code,
    '});',
  ];
  return { code: `${lines.join('\n')}\n`, fixture: isFile ? `${json}\n` : undefined, notes: writer.notes };
}

/** Returns the collections that the requests can read. No request depends on runs or comments unless it asks for them. */
function selectFixtures(state: object, entries: readonly RequestRecord[]): Record<string, unknown> {
  const isAsked = (word: string) => entries.some(({ path }) => path.includes(word));
  return Object.fromEntries(
    Object.entries(state).filter(
      ([name, records]) =>
        Array.isArray(records) &&
        records.length > 0 &&
        (name !== 'runs' || isAsked('run')) &&
        (name !== 'comments' || isAsked('comment')),
    ),
  );
}

/** Returns what arms the fault of a response that no route gives. Undefined for others, and for a fault of a header. */
function toFault({ fault, status, error, route }: RequestRecord) {
  const isInjected = (fault ?? '').startsWith('f') && (status === 0 || status >= 400);
  if (route === null || !(isInjected || error !== null || (status === 429 && fault === null))) return undefined;
  return { ...(status === 0 ? { reset: true as const } : { status }), times: 1 };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Maps all texts of a JSON value, except for the names of its fields. */
function mapTexts(value: unknown, map: (text: string) => unknown): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, map)]));
}

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

/** An id that a response made, and where the response has it. */
interface NewId {
  readonly name: string;
  readonly path: string;
  /** What the response of the other sandbox has in its place. */
  readonly replayed: string;
}

class TestWriter {
  readonly notes: string[] = [];
  readonly #ids = new Map<string, NewId>();
  readonly #steps: { readonly code: string; readonly ids: readonly NewId[] }[] = [];

  /** The calls and their expectations. */
  get code(): string {
    return this.#steps
      .map(({ code, ids }, index) => {
        const later = this.#steps.slice(index + 1).map((step) => step.code);
        const used = ids.filter(({ name }) => later.some((text) => new RegExp(`\\b${name}\\b`).test(text)));
        return [code, ...used.map(({ name, path }) => `  const ${name} = ${path};`)].join('\n');
      })
      .join('\n\n');
  }

  /** Returns a text with the ids of the other sandbox. */
  replay(text: string): string {
    return [...this.#ids].reduce((replaced, [id, { replayed }]) => replaced.replaceAll(id, replayed), text);
  }

  /** Returns a text with variables for new ids. */
  readonly #write = (text: string): unknown => {
    const found = [...this.#ids].filter(([id]) => text.includes(id));
    if (found.length === 0) return text;
    const whole = this.#ids.get(text);
    if (whole) return new Expression(whole.name);
    const escaped = text.replace(/[\\`]|\$\{/g, '\\$&');
    return new Expression(`\`${found.reduce((code, [id, { name }]) => code.replaceAll(id, `\${${name}}`), escaped)}\``);
  };

  /** Adds a request. @param reply the response of the other sandbox */
  add(entry: RequestRecord, reply: ApiResponse): void {
    const { id, method, path, status, route, request, response } = entry;
    if (!hasWholeBody(entry)) this.notes.push(`${id}: the journal has only a part of its body.`);
    if (reply.status !== status)
      this.notes.push(`${id}: it responded ${status}, and ${reply.status} in a new sandbox.`);
    const fault = toFault(entry);
    const { headers = {}, body } = toApiRequest(entry);
    const write = (value: unknown) => toLiteral(mapTexts(value, this.#write), '    ');
    const options = [
      ...(method === 'GET' ? [] : [`method: ${quote(method)}`]),
      ...(Object.keys(headers).length === 0 ? [] : [`headers: ${toLiteral(headers, '    ')}`]),
      ...(request.body === null
        ? []
        : toBodyCode(entry, body, (base64) => `Buffer.from(${quote(base64)}, 'base64')`, write)),
    ];
    const block = options.length === 0 ? '' : `, {\n${options.map((line) => `    ${line},\n`).join('')}  }`;
    const call = `emulator.fetch(${toLiteral(this.#write(path))}${block})`;
    const lines = [
      `  // ${id}: ${route ?? `${method} ${path}`}`,
      ...(fault ? [`  emulator.fail(${quote(route ?? '')}, ${toLiteral(fault)});`] : []),
      ...(status === 0
        ? [`  await expect(${call}).rejects.toThrow();`]
        : [`  const ${id} = await ${call};`, `  expect(${id}.status).toBe(${status});`]),
    ];
    const ids: NewId[] = [];
    const replied = parseJsonIfValid(reply.text);
    if (!fault && reply.status === status && typeof response.body === 'object' && response.body !== null && replied) {
      const name = `body${id.slice(1)}`;
      const expected = this.#compare(entry.id, response.body, replied, name, ids);
      lines.push(`  const ${name} = await ${id}.json();`);
      lines.push(`  expect(${name}).toMatchObject(${toLiteral(expected, '  ')});`);
    }
    this.#steps.push({ code: lines.join('\n'), ids });
  }

  /** Returns what the test expects of a value: the same where both sandboxes agree. */
  #compare(id: string, value: unknown, other: unknown, path: string, ids: NewId[]): unknown {
    if (Array.isArray(value) && Array.isArray(other)) {
      if (value.length === other.length) {
        return value.map((each, i) => this.#compare(id, each, other[i], `${path}[${i}]`, ids));
      }
      this.notes.push(`${id}: a list has ${value.length} items, and ${other.length} in a new sandbox.`);
      return new Expression('expect.any(Array)');
    }
    if (isObject(value) && isObject(other)) {
      const compare = ([name, field]: [string, unknown]) => {
        const next = /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}[${quote(name)}]`;
        return [name, this.#compare(id, field, other[name], next, ids)] as const;
      };
      return Object.fromEntries(Object.entries(value).map(compare));
    }
    if (typeof value === 'string' && this.#ids.has(value)) return this.#write(value);
    if (value === other) return value;
    if (typeof value === 'number' && typeof other === 'number') return new Expression('expect.any(Number)');
    if (typeof value !== 'string' || typeof other !== 'string') return new Expression('expect.toSatisfy(() => true)');
    if (UUID.test(value) && UUID.test(other)) {
      const made = { name: `id${this.#ids.size + 1}`, path, replayed: other };
      this.#ids.set(value, made);
      ids.push(made);
    }
    return new Expression('expect.any(String)');
  }
}
