import * as z from 'zod';
import type { Emulator, Sandbox } from '../../src/index.js';
import { ControlModel, type Operation } from './control.js';
import { type Actual, ANY, byMethod, comparable, compare, findMethodOf, RETURNED, read, THREW } from './emulator.js';
import type { State } from './records.js';
import type { Request } from './request.js';

/** How a request finds its sandbox. */
export type Way = 'own fetch' | 'prefix' | 'header' | 'another origin';
/** A request, before it has found its sandbox. */
export type Sent = Omit<Request, 'base' | 'wanted'>;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const INVENTED = /^[a-z]+[A-Z][a-z]+[A-Z][a-z]+$/;

/** The emulator and the model side by side: what is done to one is done to both, and compared. */
export class World {
  readonly emulator: Emulator;
  /** What was done so far. */
  readonly log: string[] = [];
  readonly #boxes = new Map<string, ControlModel>();
  /** What was invented where: the same writes from the same seed must give the same. */
  readonly #invented = new Map<string, string>();
  readonly #trails = new Map<string, number>();
  /** The last write to each sandbox, to be sent again. */
  readonly #lastWrites = new Map<string, { readonly count: number; readonly send: () => Promise<unknown> }>();
  /** Finds the sandbox that a command means by a name. */
  rename = (name: string): string => name;
  /** How many requests and operations there were. */
  static steps = 0;

  constructor(emulator: Emulator, model: ControlModel) {
    this.emulator = emulator;
    this.#boxes.set('', model);
  }

  get #main(): ControlModel {
    return this.box('');
  }

  /** The model of a sandbox, made on first use from the emulator's seed. A refused request does not open its sandbox. */
  box(name: string): ControlModel {
    const known = this.#boxes.get(name);
    if (known) return known;
    this.sandbox(name);
    const made = new ControlModel(this.#main.config, this.#main.seed);
    this.#boxes.set(name, made);
    return made;
  }

  get names(): string[] {
    return [...this.#boxes.keys()].filter((name) => name !== '');
  }

  sandbox = (name: string): Sandbox => (name === '' ? this.emulator : this.emulator.sandbox(name));

  /** Sends a request of the API and compares the response with the model's. */
  request = (meant: string, way: Way, sent: Sent): Promise<Actual> => this.#send(this.rename(meant), way, sent);

  async #send(name: string, way: Way, sent: Sent): Promise<Actual> {
    World.steps++;
    const model = this.box(name);
    const { method, target, body, contentType, authorization } = sent;
    const who = model.ownerOf(authorization?.slice(7) ?? '')?.id ?? authorization;
    const prefix = name === '' || way === 'header' ? '' : `/_sandbox/${name}`;
    const origin = way === 'another origin' ? 'https://api.example.com' : this.emulator.url;
    const title = `[${name || 'default'}, ${way}, ${who}] ${method} ${target} ${body?.slice(0, 300) ?? ''}`;
    const init: RequestInit = {
      method,
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(contentType !== undefined && { 'content-type': contentType }),
        ...(way === 'header' && name !== '' && { 'x-emulator-sandbox': name }),
      },
      ...(body !== undefined && { body }),
    };
    const { fetch } = way === 'own fetch' ? this.sandbox(name) : this.emulator;
    const address = way === 'own fetch' ? target : `${way === 'another origin' ? origin : ''}${prefix}${target}`;
    const actual = await read(fetch, address, init);
    const before = model.state;
    const writes = model.past.length;
    const operation = `${who} ${method} ${target} ${body}`;
    const expected = model.respond({ ...sent, base: origin + prefix }, this.#learn(before, operation, actual.body));
    compare(title, expected, actual, model.state.now);
    if (model.past.length > writes || (writes === 100 && method !== 'GET' && actual.status < 300)) {
      this.#leaveTrail(model, before, operation);
      const again = () => this.#send(name, way, sent);
      this.#lastWrites.set(name, { count: model.past.length, send: again });
    }
    return this.#note(title, actual);
  }

  #note(title: string, actual: Actual): Actual {
    this.log.push(`${title} → ${actual.status}`);
    return actual;
  }

  /** Does something by the control plane, over HTTP or by the methods of the sandbox. */
  async control(meant: string, over: 'http' | 'method', operation: Operation): Promise<Actual> {
    World.steps++;
    const name = this.rename(meant);
    const model = this.box(name);
    const title = `[${name || 'default'}, control by ${over}] ${JSON.stringify(operation)}`;
    const method = over === 'method' ? findMethodOf(operation) : undefined;
    const actual = await (method ? byMethod(this.sandbox(name), method, operation) : this.#overHttp(name, operation));
    const before = model.state;
    const key = JSON.stringify(operation);
    const noun = operation.path.split('/')[0] ?? '';
    const [added] = noun === 'records' && !method ? Object.values(Object(actual.body)) : [actual.body];
    const expected = model.control(operation, this.#learn(before, key, added));
    const body = comparable(noun, actual.body);
    const ok = expected.status < 300;
    const status = !method ? expected.status : ok ? RETURNED : THREW;
    const wanted = method?.select ? method.select(expected.body) : expected.body;
    compare(title, { status, body: ok ? wanted : ANY }, { status: actual.status, body });
    if (expected.status === 201 && noun === 'records') this.#leaveTrail(model, before, key);
    return this.#note(title, actual);
  }

  #overHttp(name: string, { method, path, body }: Operation): Promise<Actual> {
    const init =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    return read(this.emulator.fetch, `${name && `/_sandbox/${name}`}/_emulator/${path}`, { method, ...init });
  }

  /** Takes the last write back and sends it again: the response is the same, to the byte. */
  async again(meant: string): Promise<void> {
    const name = this.rename(meant);
    const last = this.#lastWrites.get(name);
    if (!last || this.box(name).past.length !== last.count) return;
    await this.control(meant, 'http', { method: 'POST', path: 'rewind', body: { steps: 1 } });
    await last.send();
  }

  /** Loads the exported records of a sandbox as its seed. */
  async reseed(meant: string, start: number): Promise<void> {
    const name = this.rename(meant);
    const model = this.box(name);
    const sandbox = this.sandbox(name);
    const fixtures = sandbox.state();
    sandbox.reseed(fixtures);
    const seed = { ...model.state, now: start };
    model.reseedWithOwnRecords(seed, this.#trail(`reseed ${JSON.stringify(fixtures)}`));
    this.log.push(`[${name || 'default'}] reseed with its own records`);
  }

  async close(meant: string): Promise<void> {
    const name = this.rename(meant);
    this.sandbox(name).close();
    this.#boxes.delete(name);
    this.#lastWrites.delete(name);
    // A late request must not create it again, so that this does.
    this.sandbox(name);
    this.box(name);
    this.log.push(`[${name}] close, and create again`);
  }

  async listSandboxes(): Promise<void> {
    const actual = await read(this.emulator.fetch, '/_emulator/sandboxes', {});
    const body = this.names.map((name) => ({ name, url: `${this.emulator.url}/_sandbox/${name}` }));
    const listed = z.array(z.object({ name: z.string(), url: z.string() })).parse(actual.body);
    compare('sandboxes', { status: 200, body }, { ...actual, body: listed });
  }

  #trail(text: string): number {
    const known = this.#trails.get(text);
    if (known === undefined) this.#trails.set(text, this.#trails.size + 1);
    return known ?? this.#trails.size;
  }

  #leaveTrail(model: ControlModel, before: State, operation: string): void {
    model.state = { ...model.state, trail: this.#trail(`${before.trail} ${operation}`) };
  }

  /** What was invented for this write before; else what the response has, if it is free and looks right. */
  #learn({ trail, users, vals, runs, comments }: State, operation: string, actual: unknown) {
    const taken = [...users, ...vals, ...runs, ...comments].map(({ id }) => id);
    return (what: 'id' | 'name'): string => {
      const key = `${trail} ${operation} ${what}`;
      const known = this.#invented.get(key);
      if (known !== undefined) return known;
      const given =
        typeof actual === 'object' && actual !== null ? new Map(Object.entries(actual)).get(what) : undefined;
      const fits = typeof given === 'string' && (what === 'id' ? UUID : INVENTED).test(given) && !taken.includes(given);
      if (!fits) return `a new ${what}`;
      this.#invented.set(key, given);
      return given;
    };
  }
}
