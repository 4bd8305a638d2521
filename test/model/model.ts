import { runStatement } from './databases.js';
import type { Route } from './pipeline.js';
import { findVersion, Reads } from './reads.js';
import type { Blob, Json, User, Val } from './records.js';
import { type Call, checkedName, codeOf, integer, invalid, iso, Refusal, refuse, settingsOf, uuid } from './request.js';

/**
 * An independent model of the API, written from its documents: plain arrays that are filtered and sorted for each
 * request. It imports nothing of src, so that a defect there cannot hide here. A state is never changed in place, so
 * an earlier one is a reference. Ids and names that the emulator invents are learnt from its responses.
 */
export class Model extends Reads {
  protected readonly table: readonly Route[] = [
    ['GET /v1/me', 200, (c) => ({ ...this.profile(c, c.me), tier: c.me.tier, email: c.me.email })],
    ['GET /v1/me/runs', 200, (c) => this.runs(c, () => this.state.vals.filter((val) => val.author.id === c.me.id))],
    ['GET /v1/me/likes', 200, (c) => this.likes(c)],
    ['GET /v1/me/comments', 200, (c) => this.comments(c)],
    ['GET /v1/me/references', 200, (c) => this.references(c)],
    ['POST /v1/vals', 200, (c) => this.#create(c)],
    ['PUT /v1/vals', 200, (c) => this.#put(c)],
    ['GET /v1/vals/{val_id}', 200, (c) => this.extended(c, this.visible(c))],
    ['DELETE /v1/vals/{val_id}', 204, (c) => this.#delete(this.own(c))],
    ['GET /v1/vals/{val_id}/versions', 200, (c) => this.versions(c)],
    ['POST /v1/vals/{val_id}/versions', 201, (c) => this.#newVersion(c)],
    ['GET /v1/vals/{val_id}/versions/{version}', 200, (c) => this.version(c)],
    ['DELETE /v1/vals/{val_id}/versions/{version}', 204, (c) => this.#deleteVersion(c)],
    [
      'GET /v1/vals/{val_id}/runs',
      200,
      (c) => c.me && uuid('val_id', c.params[0]) && this.runs(c, () => [this.own(c)]),
    ],
    ['GET /v1/runs/{run_id}', 200, (c) => this.run(c)],
    ['POST /v1/vals/{val_id}/evaluations/{evaluation_id}/cancel', 200, (c) => this.#cancel(c)],
    ['POST /v1/email', 202, (c) => this.#email(c)],
    ['GET /v1/blob', 200, (c) => this.#blobs(c)],
    ['GET /v1/blob/{key}', 200, (c) => this.#blob(c).text],
    ['POST /v1/blob/{key}', 201, (c) => this.#storeBlob(c)],
    ['DELETE /v1/blob/{key}', 204, (c) => this.#dropBlob(this.#blob(c))],
    ['POST /v1/sqlite/execute', 200, (c) => this.#sql(c)[0]],
    ['POST /v1/sqlite/batch', 200, (c) => this.#sql(c)],
    ['PUT /v1/vals/{val_id}', 204, (c) => this.#change(c)],
    ['GET /v1/users/{user_id}/vals', 200, (c) => this.valsOf(c)],
    ['GET /v1/search/vals', 200, (c) => this.search(c)],
    ['GET /v1/users/{user_id}', 200, (c) => this.profile(c, this.user(uuid('user_id', c.params[0])))],
    ['GET /v1/alias/{username}', 200, (c) => this.profile(c, this.named(c))],
    ['GET /v1/alias/{username}/{val_name}', 200, (c) => this.alias(c)],
  ];

  // Writes.

  #create(call: Call): Json {
    const { me } = call;
    const body = objectOf(call.json());
    const [code, settings] = [codeOf(body), settingsOf(body)];
    return this.#add(call, me, code, settings);
  }

  #add(call: Call, me: User, code: string, { name, privacy, type, readme }: Partial<ReturnType<typeof settingsOf>>) {
    if (name !== undefined && this.byName(me, name)) refuse(409);
    const { now } = this.state;
    const made: Val = {
      name: name ?? call.learn('name'),
      id: call.learn('id'),
      author: me,
      privacy: privacy ?? this.config.defaultPrivacy,
      type: type ?? 'script',
      readme: readme ?? null,
      at: now,
      next: 1,
      versions: [{ version: 0, code, at: now }],
    };
    this.state = { ...this.state, vals: [...this.state.vals, made] };
    return this.extended(call, made);
  }

  #put(call: Call): Json {
    const { me } = call;
    const body = objectOf(call.json());
    const name = body.name === undefined ? invalid("body must have required property 'name'") : body.name;
    const code = codeOf(body);
    const known = this.byName(me, checkedName(name) ?? '');
    return known
      ? this.extended(call, this.#store(withVersion(known, code, this.state.now)))
      : this.#add(call, me, code, { name: checkedName(name) });
  }

  #store(val: Val): Val {
    this.state = { ...this.state, vals: this.state.vals.map((each) => (each.id === val.id ? val : each)) };
    return val;
  }

  #delete({ id }: Val): void {
    const { state } = this;
    const others = <T extends { readonly val: string }>(items: readonly T[]) => items.filter(({ val }) => val !== id);
    const [runs, likes, comments] = [others(state.runs), others(state.likes), others(state.comments)];
    this.state = { ...state, vals: state.vals.filter((val) => val.id !== id), runs, likes, comments };
  }

  #settle(val: Val, given: ReturnType<typeof settingsOf>): Val {
    const known = given.name === undefined ? undefined : this.byName(val.author, given.name);
    if (known && known.id !== val.id) refuse(409);
    const changed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    return this.#store({ ...val, ...changed });
  }

  #change(call: Call): void {
    const { me: _me } = call;
    const json = call.json();
    const settings = afterId(call, () => settingsOf(objectOf(json)));
    this.#settle(this.own(call), settings);
  }

  /** Only emails that are refused are drawn, since no response has the id of one. */
  #email({ me: _me, request }: Call): Json {
    const { html } = objectOf(JSON.parse(request.body ?? ''));
    return html === '' ? invalid('body/html must NOT have fewer than 1 characters') : refuse(500);
  }

  #blobs({ me, query }: Call): Json[] {
    const prefix = query.getAll('prefix').at(-1) ?? '';
    const found = this.state.blobs.filter(({ user, key }) => user === me.id && key.startsWith(prefix));
    return found.map(({ key, text, at }) => ({ key, size: Buffer.byteLength(text), lastModified: iso(at) }));
  }

  #blob({ me, params }: Call): Blob {
    const found = this.state.blobs.find(({ user, key }) => user === me.id && key === params[0]);
    return found ?? refuse(404, 'The blob was not found');
  }

  #dropBlob(blob: Blob): void {
    this.state = { ...this.state, blobs: this.state.blobs.filter((each) => each !== blob) };
  }

  #storeBlob({ me, params, request }: Call): string {
    const made = { user: me.id, key: params[0] ?? '', text: request.body ?? '', at: this.state.now };
    const others = this.state.blobs.filter(({ user, key }) => user !== made.user || key !== made.key);
    const sorted = [...others, made].sort((a, b) =>
      a.user === b.user ? (a.key < b.key ? -1 : 1) : a.user < b.user ? -1 : 1,
    );
    this.state = { ...this.state, blobs: sorted };
    return 'ok';
  }

  #sql({ me, request }: Call): Json[] {
    const { statement, statements = [statement] } = JSON.parse(request.body ?? '');
    const others = this.state.databases.filter(({ user }) => user !== me.id);
    const before = this.state.databases.find(({ user }) => user === me.id)?.notes;
    let notes = before;
    const results: Json[] = [];
    for (const each of statements) {
      const [next, result] = runStatement(notes, each);
      notes = next;
      results.push(result);
    }
    if (notes === undefined || notes === before) return results;
    const databases = [...others, { user: me.id, notes, at: this.state.now }];
    this.state = { ...this.state, databases: databases.sort((a, b) => (a.user < b.user ? -1 : 1)) };
    return results;
  }

  #cancel(call: Call): Json {
    const { me, params } = call;
    const [valId, id] = [uuid('val_id', params[0]), uuid('evaluation_id', params[1])];
    const val = this.state.vals.find((each) => each.id === valId && each.author.id === me.id);
    if (!val) throw Object.assign(new Refusal(404), { body: 'The val was not found' });
    const found = this.state.runs.find((run) => run.id === id && run.val === val.id && run.end === null);
    const end = Math.max(this.state.now, found?.at ?? 0);
    this.state = { ...this.state, runs: this.state.runs.map((run) => (run === found ? { ...run, end } : run)) };
    return { found: found !== undefined };
  }

  #newVersion(call: Call): Json {
    const { me: _me } = call;
    const json = call.json();
    const [code, settings] = afterId(call, () => [codeOf(objectOf(json)), settingsOf(objectOf(json))] as const);
    const val = this.#settle(this.own(call), settings);
    return this.extended(call, this.#store(withVersion(val, code, this.state.now)));
  }

  #deleteVersion(call: Call): void {
    const { me: _me } = call;
    uuid('val_id', call.params[0]);
    const number = integer('params/version', call.params[1] ?? '', 0, Number.MAX_SAFE_INTEGER);
    const val = this.own(call);
    const gone = findVersion(val, number);
    if (val.versions.length === 1) refuse(400);
    this.#store({ ...val, versions: val.versions.filter((version) => version !== gone) });
  }
}

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : invalid('body must be object');
const withVersion = (val: Val, code: string, at: number): Val => ({
  ...val,
  next: val.next + 1,
  versions: [...val.versions, { version: val.next, code, at }],
});
/** Checks the id, then the body. The documents do not say which message a request gets where both are wrong. */
function afterId<T>(call: Call, check: () => T): T {
  let refusal: unknown;
  try {
    uuid('val_id', call.params[0]);
  } catch (error) {
    refusal = error;
  }
  try {
    const checked = check();
    if (refusal === undefined) return checked;
  } catch (error) {
    throw refusal === undefined ? error : new Refusal(400);
  }
  throw refusal;
}
