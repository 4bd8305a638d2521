import { CREATE, DELETE, INSERT, SELECT } from '../model/databases.js';
import { baseId, type Input, LIMIT, NOW, seed, USERS, userId } from './model.js';
import { BRANCHES, PATHS, PROJECT, VARIABLES } from './projects.js';

export type Random = () => number;
/** A request to one sandbox. */
export interface Drawn extends Omit<Input, 'base' | 'number'> {
  /** Whether the path is outside of sandboxes. */
  readonly isGlobal?: boolean;
  /** Whether it changes nothing, not even a counter. */
  readonly isRead?: boolean;
}

const SETTINGS = ['public', 'unlisted', 'private'] as const;
const ROUTES = ['POST /v1/vals', 'GET /v1/me', 'GET /v1/vals/{val_id}', 'DELETE /v1/vals/{val_id}', ''] as const;

/** Draws random requests. */
export class Draw {
  readonly #random: Random;
  /** The ids in the order in which the emulator draws them. */
  readonly #ids: readonly string[];
  readonly #upheavals: number;

  /** @param upheavals the share of requests that change a sandbox as a whole */
  constructor(random: Random, ids: readonly string[], upheavals: number) {
    this.#random = random;
    this.#ids = ids;
    this.#upheavals = upheavals;
  }

  #below = (limit: number) => Math.floor(this.#random() * limit);

  #pick<T>(items: readonly T[]): T {
    const item = items[this.#below(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** @param drawn ids that the sandbox has drawn, or a few more @param marker unique */
  next(sandbox: string, drawn: number, marker: string): Drawn {
    // The others keep their proportions.
    const kind = (this.#random() / (1 - this.#upheavals)) * 0.93;
    if (kind < 0.74) return this.#api(drawn, marker);
    if (kind < 0.86) return this.#record();
    if (kind < 0.93) return this.#look();
    return this.#upheaval(sandbox, marker);
  }

  #id = (drawn: number) =>
    this.#random() < 0.2 ? baseId(this.#pick(USERS)) : this.#pick(this.#ids.slice(0, drawn + 1));

  #api(drawn: number, marker: string): Drawn {
    const user = this.#pick(USERS);
    const id = this.#id(drawn);
    const name = `v${this.#below(12)}`;
    const version = this.#below(4);
    const code = `// ${marker}`;
    const wanted = this.#random() < 0.01 ? 599 : undefined;
    const send = (route: string, path: string, { body }: { readonly body?: unknown } = {}): Drawn => {
      const [method = ''] = route.split(' ');
      return { method, route, path, user, body, wanted };
    };
    // One database, since each of its requests shows what others have done: a wrong order is found early.
    const sendSql = (name: string, body: unknown): Drawn => {
      return { ...send(`POST /v1/sqlite/${name}`, `/v1/sqlite/${name}`, { body }), user: 'ada' };
    };
    const val = `/v1/vals/${id}`;
    const privacy = this.#pick(SETTINGS);
    const by = this.#pick(USERS);
    const [write, read] = [6, 2];
    const all: readonly (readonly [weight: number, draw: () => Drawn])[] = [
      [write, () => send('POST /v1/vals', '/v1/vals', { body: { name, code, privacy, readme: marker } })],
      [0.3, () => send('POST /v1/vals', '/v1/vals', { body: { name } })],
      [write, () => send('PUT /v1/vals', '/v1/vals', { body: { name, code } })],
      [
        write,
        () => send('PUT /v1/vals/{val_id}', val, { body: this.#pick([{ name }, { privacy }, { readme: marker }]) }),
      ],
      [write, () => send('POST /v1/vals/{val_id}/versions', `${val}/versions`, { body: { code } })],
      [3, () => send('DELETE /v1/vals/{val_id}', val)],
      [3, () => send('DELETE /v1/vals/{val_id}/versions/{version}', `${val}/versions/${version}`)],
      [write, () => send('GET /v1/vals/{val_id}', val)],
      [read, () => send('GET /v1/vals/{val_id}/versions', `${val}/versions?limit=100`)],
      [read, () => send('GET /v1/vals/{val_id}/versions/{version}', `${val}/versions/${version}`)],
      [1, () => send('GET /v1/vals/{val_id}/runs', `${val}/runs?limit=100`)],
      [write, () => send('GET /v1/users/{user_id}/vals', `/v1/users/${userId(by)}/vals?limit=100`)],
      [read, () => send('GET /v1/me', '/v1/me')],
      [1, () => send('GET /v1/me/runs', '/v1/me/runs?limit=100')],
      [read, () => send('GET /v1/me/likes', '/v1/me/likes?limit=100')],
      [read, () => send('GET /v1/me/comments', '/v1/me/comments?limit=100')],
      [1, () => send('GET /v1/me/references', '/v1/me/references')],
      [1, () => send('GET /v1/search/vals', `/v1/search/vals?query=${name}`)],
      [1, () => send('GET /v1/users/{user_id}', `/v1/users/${userId(by)}`)],
      [1, () => send('GET /v1/alias/{username}', `/v1/alias/${by}`)],
      [read, () => send('GET /v1/alias/{username}/{val_name}', `/v1/alias/${by}/${name}`)],
      [1, () => send('GET /v1/runs/{run_id}', `/v1/runs/${id}`)],
      [0.5, () => send('GET /v1/none', '/v1/none')],
      [3, () => send('POST /v1/blob/{key}', '/v1/blob/a%2Fb', { body: { marker } })],
      [3, () => send('GET /v1/blob/{key}', '/v1/blob/a%2Fb')],
      [read, () => send('GET /v1/blob', '/v1/blob')],
      [1, () => send('DELETE /v1/blob/{key}', '/v1/blob/a%2Fb')],
      [4, () => sendSql('execute', { statement: this.#sql(marker) })],
      [2, () => sendSql('batch', { statements: [CREATE, this.#sql(marker)] })],
      ...this.#project(send, id, code),
    ];
    return this.#weighted(all);
  }

  /** Requests about the only project, each of which shows what others have done. */
  #project(
    send: (route: string, path: string, options?: { readonly body?: unknown }) => Drawn,
    id: string,
    content: string,
  ): (readonly [weight: number, draw: () => Drawn])[] {
    const route = '/v2/vals/{val_id}';
    const root = `/v2/vals/${PROJECT}`;
    const key = this.#pick(VARIABLES);
    const query = `path=${this.#pick(PATHS)}&branch_id=${this.#pick(BRANCHES)}`;
    const version = this.#random() < 0.5 ? '' : `&version=${this.#below(4)}`;
    const own = (method: string, path: string, target: string, body?: unknown): Drawn => {
      return { ...send(`${method} ${route}${path}`, root + target, { body }), user: 'ada' };
    };
    const variables = '/environment_variables';
    return [
      [3, () => own('POST', '/files', `/files?${query}`, { type: 'script', content })],
      [6, () => own('PUT', '/files', `/files?${query}`, { content })],
      [1, () => own('DELETE', '/files', `/files?${query}`)],
      [4, () => own('GET', '/files/content', `/files/content?${query}${version}`)],
      [2, () => own('GET', '/files', `/files?${query.replace(/path=[^&]*/, 'path=')}${version}`)],
      [1, () => own('POST', '/branches', '/branches', { name: `b${this.#below(6)}` })],
      [2, () => own('GET', '/branches', '/branches?limit=100')],
      [1, () => own('DELETE', '/branches/{branch_id}', `/branches/${id}`)],
      [1, () => own('POST', variables, variables, { key, value: content })],
      [1, () => own('PUT', `${variables}/{key}`, `${variables}/${key}`, { value: content })],
      [1, () => own('DELETE', `${variables}/{key}`, `${variables}/${key}`)],
      [1, () => own('GET', variables, `${variables}?limit=100`)],
    ];
  }

  #sql = (marker: string) =>
    this.#pick([
      { sql: INSERT, args: [null, marker] },
      { sql: INSERT, args: [1 + this.#below(4), marker] },
      { sql: DELETE, args: [1 + this.#below(4)] },
      SELECT,
    ]);

  #weighted(all: readonly (readonly [weight: number, draw: () => Drawn])[]): Drawn {
    let left = this.#random() * all.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, draw] of all) {
      left -= weight;
      if (left < 0) return draw();
    }
    throw new Error('the weights are not positive');
  }

  #control(method: string, noun: string, body?: unknown, path = noun): Drawn {
    const about = { method, route: `${method} ${noun}`, path: `/_emulator/${path}`, isRead: method === 'GET' };
    return { ...about, user: undefined, body, wanted: undefined };
  }

  #record(): Drawn {
    const name = this.#random() < 0.4 ? 'base' : `v${this.#below(12)}`;
    const [val, user] = [`${this.#pick(USERS)}/${name}`, this.#pick(USERS)];
    return this.#pick([
      () => this.#control('POST', 'records', { likes: { user, val } }),
      () => this.#control('POST', 'records', { comments: { author: user, val, comment: 'Nice' } }),
      () => this.#control('POST', 'records', { runs: { val, runStartAt: NOW } }),
    ])();
  }

  #look(): Drawn {
    const noun = this.#pick(['clock', 'faults', 'snapshots', 'history', 'rate-limit', 'requests', 'state', 'users']);
    return this.look(noun);
  }

  look = (noun: string): Drawn =>
    this.#control('GET', noun, undefined, noun === 'requests' ? 'requests?limit=3' : noun);

  #upheaval(sandbox: string, marker: string): Drawn {
    const name = this.#pick(['one', 'two', 'three']);
    const fault = {
      route: this.#pick(ROUTES) || undefined,
      status: 418,
      after: this.#below(3),
      times: 1 + this.#below(3),
    };
    const sandboxes: readonly (readonly [weight: number, draw: () => Drawn])[] = [
      [2, () => this.#global('DELETE', 'close', `sandboxes/${sandbox}`)],
      [1, () => this.#control('PUT', 'seed', seed)],
      [1, () => this.#control('POST', 'fork', { name: `fork-${marker}` })],
    ];
    return this.#weighted([
      [20, () => this.#control('PUT', 'clock', { advance: 1_000 * (1 + this.#below(2_000)) })],
      [12, () => this.#control('POST', 'snapshots', { name })],
      [8, () => this.#control('POST', 'restore', undefined, `snapshots/${name}/restore`)],
      [3, () => this.#control('DELETE', 'snapshots', undefined, `snapshots/${name}`)],
      [10, () => this.#control('POST', 'rewind', { steps: 1 + this.#below(3) })],
      [20, () => this.#control('POST', 'faults', fault)],
      [4, () => this.#control('DELETE', 'faults')],
      [4, () => this.#control('DELETE', 'requests')],
      [2, () => this.#control('PUT', 'rate-limit', { limit: null })],
      [6, () => this.#control('PUT', 'rate-limit', { limit: this.#pick([LIMIT, LIMIT, 20]), window: '1h' })],
      [3, () => this.#control('POST', 'reset', sandbox === '' ? { confirm: true } : undefined)],
      ...(sandbox === '' ? [] : sandboxes),
    ]);
  }

  #global(method: string, route: string, path: string, body?: unknown): Drawn {
    return { method, route, path: `/_emulator/${path}`, isGlobal: true, body, user: undefined, wanted: undefined };
  }

  /** Opens a sandbox that may be closed. */
  open = (name: string): Drawn => this.#global('POST', 'open', 'sandboxes', { name });
}
