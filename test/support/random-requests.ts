import { random } from './random.js';
import { codeImporting, SAMPLE_VALS, sampleFixtures } from './sample-fixtures.js';
import { type Fetch, sendAndFormat } from './views.js';

const NAMES = ['ada', 'bob', 'cleo', 'dan', 'eve', 'fay'] as const;
const ROUTES = ['POST /v1/vals', 'GET /v1/me', 'DELETE /v1/vals/{val_id}', 'GET /v1/me/runs'] as const;

/** A request, with the token of its user. */
type Call = readonly [token: string | undefined, method: string, path: string, body?: unknown];

/** Kinds of requests that can be excluded. */
export type Kind = 'api' | 'records' | 'faults' | 'clock' | 'snapshots' | 'rewind' | 'reset' | 'seed' | 'journal';

/** Sends random requests to an emulator of {@link sampleFixtures}: to the API and to the control API. One seed draws one sequence. */
export class RandomRequests {
  readonly #fetch: Fetch;
  readonly #chance: () => number;
  readonly #draws: (() => Call)[];
  /** Ids of vals that exist or existed. */
  readonly #vals = [...SAMPLE_VALS];

  constructor(fetch: Fetch, seed: number, without: readonly Kind[] = []) {
    this.#fetch = fetch;
    this.#chance = random(seed);
    // How often each kind is drawn.
    const weights: readonly (readonly [Kind, number, () => Call])[] = [
      ['api', 40, () => this.#write()],
      ['api', 30, () => this.#read()],
      ['records', 10, () => this.#add()],
      ['faults', 6, () => this.#fail()],
      ['clock', 4, () => this.#moveClock()],
      ['snapshots', 4, () => this.#snapshot()],
      ['rewind', 2, () => [undefined, 'POST', '/_emulator/rewind', { steps: this.#below(4) }]],
      ['reset', 0.2, () => [undefined, 'POST', '/_emulator/reset', { confirm: true }]],
      [
        'seed',
        0.1,
        () => [undefined, 'PUT', '/_emulator/seed?confirm=true', { ...sampleFixtures, runs: [], likes: [] }],
      ],
      ['journal', 2, () => this.#inspect()],
    ];
    this.#draws = weights
      .filter(([kind]) => !without.includes(kind))
      .flatMap(([, weight, draw]) => Array<() => Call>(weight * 10).fill(draw));
  }

  /** Sends requests one after the other, and returns each with its response. */
  async run(requests: number): Promise<string[]> {
    const lines: string[] = [];
    for (let i = 0; i < requests; i++) {
      const line = await sendAndFormat(this.#fetch, ...this.#pick(this.#draws)());
      const made = /-> 20[01] .*?"id":"([\da-f-]{36})"/.exec(line)?.[1];
      if (made !== undefined) this.#vals.splice(this.#below(this.#vals.length), 1, made);
      lines.push(line);
    }
    return lines;
  }

  #below(limit: number): number {
    return Math.floor(this.#chance() * limit);
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[this.#below(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** Returns the fields with this probability, else nothing. */
  #some<T extends object>(share: number, fields: T): Partial<T> {
    return this.#chance() < share ? fields : {};
  }

  #token = () => (this.#chance() < 0.95 ? `${this.#pick(NAMES)} token` : 'unknown token');
  #val = () => this.#pick(this.#vals);
  #name = () => `val${this.#below(9)}`;
  #code = () => {
    const share = this.#chance();
    return share < 0.03 ? '' : share < 0.2 ? `// ${share}` : codeImporting(this.#pick(NAMES), this.#name());
  };
  #settings = () => ({
    ...this.#some(0.5, { name: this.#name() }),
    ...this.#some(0.5, { privacy: this.#pick(['public', 'unlisted', 'private', 'open']) }),
    ...this.#some(0.3, { readme: `# ${this.#below(1_000)}` }),
  });

  #write(): Call {
    const token = this.#token();
    const val = this.#val();
    return this.#pick<() => Call>([
      () => [token, 'POST', '/v1/vals', { code: this.#code(), ...this.#settings() }],
      () => [token, 'PUT', '/v1/vals', { code: this.#code(), name: this.#name() }],
      () => [token, 'PUT', `/v1/vals/${val}`, this.#settings()],
      () => [token, 'POST', `/v1/vals/${val}/versions`, { code: this.#code(), ...this.#settings() }],
      () => [token, 'DELETE', `/v1/vals/${val}/versions/${this.#below(4)}`],
      () => [token, 'DELETE', `/v1/vals/${val}`],
      () => [token, 'POST', '/v1/sqlite/execute', { statement: this.#sql() }],
      () => [token, 'POST', '/v1/sqlite/batch', { statements: [this.#sql(), this.#sql(), this.#sql()] }],
    ])();
  }

  #sql() {
    const args = [this.#chance() < 0.3 ? null : this.#below(9), this.#code()];
    return this.#pick<string | { sql: string; args: unknown[] }>([
      'CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text UNIQUE)',
      { sql: 'INSERT INTO notes VALUES (?, ?)', args },
      { sql: 'INSERT INTO notes VALUES (?, ?)', args },
      { sql: 'UPDATE notes SET text = ?2 WHERE id = ?1', args },
      { sql: 'DELETE FROM notes WHERE id = ? AND text <> ?', args },
      'SELECT * FROM notes ORDER BY id',
    ]);
  }

  #read(): Call {
    const list = this.#pick(['runs', 'likes', 'comments', 'references']);
    const paths = [
      '/v1/me',
      `/v1/me/${list}?limit=${this.#below(12)}&offset=${this.#below(5)}`,
      `/v1/vals/${this.#val()}`,
      `/v1/vals/${this.#val()}/${this.#pick(['versions', 'runs'])}`,
      '/nowhere',
    ];
    return [this.#token(), this.#pick(['GET', 'GET', 'HEAD']), this.#pick(paths)];
  }

  #add(): Call {
    const user = this.#pick(NAMES);
    const val = this.#val();
    const createdAt = `-${this.#below(90)}m`;
    const [collection, record] = this.#pick<readonly [string, object]>([
      ['users', { username: `user${this.#below(3)}`, token: `user${this.#below(9)} token` }],
      ['vals', { author: user, name: this.#name(), code: this.#code(), createdAt }],
      ['runs', { val, runStartAt: createdAt, ...this.#some(0.3, { error: 'boom' }) }],
      ['likes', { user, val, createdAt }],
      ['comments', { author: user, val, comment: `Comment ${this.#below(1_000)}`, createdAt }],
    ]);
    return [undefined, 'POST', `/_emulator/${collection}`, record];
  }

  #fail(): Call {
    if (this.#chance() < 0.2) return [undefined, 'DELETE', '/_emulator/faults'];
    const fault = {
      times: 1 + this.#below(3),
      ...this.#some(0.5, { route: this.#pick(ROUTES) }),
      ...this.#some(0.3, { user: this.#pick([...NAMES, 'stranger']) }),
      ...this.#some(0.5, { after: this.#below(3) }),
      ...this.#some(0.3, { rate: this.#chance(), seed: this.#below(9) }),
      ...this.#pick([
        { status: 503 },
        { headers: { 'x-why': 'random' } },
        { reset: true },
        { truncate: 20 },
        { delay: 0 },
      ]),
    };
    return [undefined, 'POST', '/_emulator/faults', fault];
  }

  #moveClock(): Call {
    const day = `2024-06-${11 + this.#below(19)}T00:00:00Z`;
    const by = `${this.#below(90)}s`;
    return [undefined, 'PUT', '/_emulator/clock', this.#pick([{ advance: by }, { advance: by }, { set: day }])];
  }

  #snapshot(): Call {
    const name = this.#pick(['one', 'two', 'three']);
    return this.#pick<Call>([
      [undefined, 'POST', '/_emulator/snapshots', { name }],
      [undefined, 'POST', '/_emulator/snapshots', { name }],
      [undefined, 'POST', `/_emulator/snapshots/${name}/restore`],
      [undefined, 'DELETE', `/_emulator/snapshots/${name}`],
    ]);
  }

  #inspect(): Call {
    const path = this.#pick(['requests?limit=5', 'history', 'faults', 'clock', 'snapshots', 'requests?status=503']);
    if (this.#chance() < 0.1) return [undefined, 'DELETE', '/_emulator/requests'];
    return [undefined, 'GET', `/_emulator/${path}`];
  }
}
