import { Rng } from '#engine/lib/rng.js';
import { toFetch } from './client.js';
import { type RandomRequest, RequestGenerator } from './generator.js';
import { OPERATIONS } from './operations.js';
import { BAD_FIELDS, BAD_PARAMETERS, NOWHERE, PREDICTED } from './predicted.js';
import type { State } from './records.js';
import { START } from './seed.js';
import type { Sent, Way, World } from './world.js';

/** The operations of the control API that the model knows. */
const CONTROL: ReadonlySet<string> = new Set([
  ...['addUser', 'addToken', 'addVal', 'addRun', 'addLike', 'addComment', 'reset', 'getState', 'listUsers'],
  ...['getClock', 'changeClock', 'listFaults', 'armFault', 'disarmFault', 'disarmAllFaults', 'listSnapshots'],
  ...['takeSnapshot', 'restoreSnapshot', 'dropSnapshot', 'listHistory', 'rewind', 'listRequests', 'clearRequests'],
]);
/** Those that need more than luck to succeed. */
const RARE: ReadonlySet<string> = new Set(['cancelEvaluation', 'createValVersion', 'deleteValVersion']);
const WAYS: readonly Way[] = ['own fetch', 'own fetch', 'prefix', 'header', 'another origin'];
const JSON_TYPE = 'application/json';

/** Bodies that are no JSON objects, and their media types. */
const ODD_BODIES: readonly Partial<Sent>[] = [
  ...[undefined, 'null', '[]', '"code"', '5', '{"code":'].map((body) => ({ body, contentType: JSON_TYPE })),
  ...[{}, { body: '{"code":"x"}', contentType: 'text/plain' }],
];
/** Lengths of code that are too large for the service, or just not. */
const HUGE = [256_000, 256_001, 1_048_565, 1_048_600];

/** Random steps, by one number each: what a step does depends on it, and on what there is. */
export class Steps {
  readonly #world: World;
  readonly #generator: RequestGenerator;

  constructor(world: World) {
    const api = new Set(world.box('').routes);
    const known = OPERATIONS.filter(({ id, method, path }) => CONTROL.has(id) || api.has(`${method} ${path}`));
    const operations = [...known, ...known.filter(({ id }) => RARE.has(id))];
    this.#world = world;
    const options = { operations, only: PREDICTED };
    this.#generator = new RequestGenerator(new Rng(0), options).learnState(world.emulator.state());
  }

  async take(number: number): Promise<void> {
    const rng = new Rng(number);
    const world = this.#world;
    // Mostly the default sandbox, so that writes meet.
    const name = rng.bool(0.85) ? '' : rng.pick(['one', 'two']);
    if (rng.bool(0.03)) return world.again(name);
    if (rng.bool(0.01)) return world.reseed(name, START);
    if (rng.bool(0.01)) return name === '' ? world.listSandboxes() : world.close(name);
    const drawn = this.#generator.next(rng);
    // Faults are drawn so often for the kinds of responses that they make, which the model knows anyway.
    const request = drawn.operation.id === 'armFault' && rng.bool(0.7) ? this.#generator.next() : drawn;
    const { operation, path, body } = request;
    const { status, body: received } = operation.isControl
      ? await world.control(name, rng.pick(['http', 'method']), {
          ...{ method: operation.method, path: path.replace('/_emulator/', '') },
          // The model does not know the code of a new val.
          ...(operation.body && {
            body: operation.id === 'addVal' ? { vals: { code: '1', ...Object(body).vals } } : Object(body),
          }),
        })
      : await world.request(
          name,
          rng.pick(WAYS),
          this.#vary(rng, this.#aim(rng, request, world.box(world.rename(name)).state)),
        );
    this.#generator.learn(request, status, received);
  }

  /** Makes the request to send: with one defect at most, as it is not documented which of several a response names. */
  #vary(rng: Rng, request: RandomRequest): Sent {
    const { operation, token = '' } = request;
    const { id, query, body: schema } = operation;
    const isOfVal = schema?.properties?.name !== undefined;
    let { body } = request;
    let bad = '';
    if (rng.bool(0.1)) {
      bad = rng.pick(BAD_PARAMETERS);
      if (query.properties?.[bad.split('=')[0] ?? ''] === undefined) bad = '';
      const [key, value] = rng.pick(BAD_FIELDS);
      if (isOfVal && schema.properties?.[key]) body = { ...Object(body), [key]: value };
    }
    // Keys that no route knows.
    if (isOfVal && rng.bool(0.1)) body = { ...Object(body), valId: 'x', userId: 5 };
    if (id === 'createVal' && rng.bool(0.01)) body = { code: 'x'.repeat(rng.pick(HUGE)) };
    const { target, init } = toFetch({ ...request, body });
    const { authorization, 'content-type': contentType } = init.headers;
    const [path = '', search = ''] = target.split('?');
    const name = bad.split('=')[0];
    const fields = search.split('&').filter((field) => field !== '' && (bad === '' || field.split('=')[0] !== name));
    if (bad !== '') fields.push(bad);
    if (rng.bool(0.1)) fields.push(rng.pick(['x=1', 'x=%20y&x=2', 'y']));
    const other = id === 'getVal' && rng.bool(0.1) ? 'PATCH' : 'HEAD';
    const sent: Sent = {
      method: operation.method === 'GET' && rng.bool(0.12) ? other : operation.method,
      target: this.#varyPath(rng, request, path) + (fields.length > 0 ? `?${fields.join('&')}` : ''),
      body: init.body,
      contentType: id === 'deleteVal' && rng.bool() ? JSON_TYPE : contentType,
      authorization,
    };
    if (isOfVal && rng.bool(0.06)) return { ...sent, body: undefined, contentType: undefined, ...rng.pick(ODD_BODIES) };
    if (rng.bool(0.03)) return { ...sent, authorization: rng.pick(['Basic YWRhOmFkYQ==', `bearer ${token}`]) };
    if (rng.bool(0.02)) return { ...sent, target: rng.pick(NOWHERE), method: 'GET', body: undefined };
    return sent;
  }

  /** Aims most requests about a val at what there is, by its author: the generator knows what there was in any sandbox. */
  #aim(rng: Rng, request: RandomRequest, { vals, runs }: State): RandomRequest {
    const { operation, params, token } = request;
    if (params.val_id === undefined || vals.length === 0 || rng.bool(0.25)) return request;
    const open = runs.filter(({ end }) => end === null);
    const run = params.evaluation_id !== undefined && open.length > 0 ? rng.pick(open) : undefined;
    const several = vals.filter(({ versions }) => versions.length > 1);
    const wanted = vals.find(({ id }) => id === (run?.val ?? params.val_id));
    const val = params.version !== undefined && several.length > 0 ? rng.pick(several) : (wanted ?? rng.pick(vals));
    const there: Readonly<Record<string, string>> = {
      ...{ ...params, val_id: val.id, version: `${rng.pick(val.versions).version}` },
      ...(run && { evaluation_id: run.id }),
    };
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => there[name] ?? '');
    return { ...request, path, token: rng.bool(0.7) ? val.author.token : token };
  }

  #varyPath(rng: Rng, { operation }: RandomRequest, path: string): string {
    if (rng.bool(0.08)) return `${path}/`;
    if (rng.bool(0.05)) return path.replaceAll(/[\da-f]{8}-[-\da-f]+/g, (id) => id.toUpperCase());
    const encode = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;
    return operation.path.endsWith('}') && rng.bool(0.05) ? path.replace(/[a-z](?=[^/%]*$)/, encode) : path;
  }
}
