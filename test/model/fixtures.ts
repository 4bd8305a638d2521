import { toSql } from './databases.js';
import { Model } from './model.js';
import type { Json, Run, State, Token, User, Val } from './records.js';
import { iso, latest, refuse, same } from './request.js';

export type Learn = (what: 'id' | 'name') => string;

const UNIT: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** `10m` in milliseconds; a 422 for any other text. */
export function duration(text: string): number {
  const [, amount, unit = ''] = /^(\d+)(ms|s|m|h|d)$/.exec(text) ?? refuse(422);
  return Number(amount) * (UNIT[unit] ?? 0);
}
const NAME = /^[a-zA-Z][a-zA-Z0-9_]{0,47}$/;
export const stringOr = <T>(value: unknown, other: T): string | T => (typeof value === 'string' ? value : other);

/** Records in the shape of fixtures: added one by one, and exported. */
export class Records extends Model {
  protected time = (text: unknown): number => {
    if (typeof text !== 'string') return this.state.now;
    return text.startsWith('-') ? this.state.now - duration(text.slice(1)) : Date.parse(text);
  };
  protected ref = (ref: unknown): User =>
    this.state.users.find(({ id, username }) => same(id, String(ref)) || same(username, String(ref))) ?? refuse(422);
  protected valRef(ref: unknown): Val {
    const [user = '', name] = String(ref).replace(/^@/, '').split('/');
    const found = this.state.vals.find((val) =>
      name === undefined
        ? same(val.id, user)
        : same(val.name, name) && (same(val.author.username, user) || same(val.author.id, user)),
    );
    return found ?? refuse(422);
  }
  protected taken = (all: readonly { readonly id?: unknown }[], id: string) =>
    all.some((each) => each.id === id) && refuse(422);

  protected addUser(body: Json, learn: Learn): Json {
    const { users } = this.state;
    if (body.username === undefined) refuse(422);
    const username = stringOr(body.username, null);
    if (username === null ? body.id === undefined : !NAME.test(username)) refuse(422);
    if (username !== null && users.some((user) => same(user.username, username))) refuse(422);
    const token = stringOr(body.token, `${username ?? body.id}-token`);
    if ([...users, ...this.state.tokens].some((each) => each.token === token)) refuse(422);
    if (typeof body.id === 'string') this.taken(users, body.id);
    const id = stringOr(body.id, undefined) ?? learn('id');
    const email = `${username ?? id}@example.com`.toLowerCase();
    const user: User = { email, bio: null, profileImageUrl: null, tier: 'free', ...body, username, id, token };
    this.state = { ...this.state, users: [...users, user] };
    return user;
  }

  protected addToken(body: Json, learn: Learn): Json {
    const { users, tokens } = this.state;
    const user = this.ref(body.user);
    const token = String(body.token);
    if ([...users, ...tokens].some((each) => each.token === token)) refuse(422);
    const scopes = [body.scopes].flat().map(String);
    const made: Token = { id: stringOr(body.id, undefined) ?? learn('id'), user: user.id, token, scopes };
    this.state = { ...this.state, tokens: [...tokens, made] };
    return { ...made, user: this.userRef(user.id) };
  }

  protected addVal(body: Json, learn: Learn): Json {
    const { vals } = this.state;
    const author = this.ref(body.author);
    const name = stringOr(body.name, '');
    if (!NAME.test(name) || typeof body.code !== 'string' || body.code === '') return refuse(422);
    if (vals.some((val) => val.author.id === author.id && same(val.name, name))) refuse(422);
    if (typeof body.id === 'string') this.taken(vals, body.id);
    const at = this.time(body.createdAt);
    const version = Number(body.version ?? 0);
    const val: Val = {
      id: stringOr(body.id, undefined) ?? learn('id'),
      ...{ author, name, at, readme: stringOr(body.readme, null) },
      ...{ privacy: stringOr(body.privacy, 'public'), type: stringOr(body.type, 'script') },
      ...{ next: Number(body.nextVersion ?? version + 1), versions: [{ version, code: body.code, at }] },
    };
    if (val.next <= version) refuse(422);
    this.state = { ...this.state, vals: [...vals, val] };
    return exportVal(val);
  }

  protected addRun(body: Json, learn: Learn): Json {
    const val = this.valRef(body.val);
    const at = this.time(body.runStartAt);
    const end =
      body.runEndAt === null ? null : at + (typeof body.duration === 'string' ? duration(body.duration) : 100);
    const id = stringOr(body.id, undefined) ?? learn('id');
    const rest = {
      emails: body.emails ?? [],
      logs: body.logs ?? [],
      returnValue: body.returnValue ?? null,
      args: body.args ?? [],
    };
    const run: Run = {
      ...{ id, val: val.id, at, end, rest, error: body.error ?? null, source: stringOr(body.source, 'ui') },
      version: Number(body.version ?? latest(val).version),
      parentId: stringOr(body.parentId, id),
    };
    this.state = { ...this.state, runs: [...this.state.runs, run] };
    return this.exportRun(run);
  }

  protected addLike(body: Json): Json {
    const [user, val] = [this.ref(body.user), this.valRef(body.val)];
    if (this.state.likes.some((like) => like.user === user.id && like.val === val.id)) refuse(422);
    const like = { user: user.id, val: val.id, at: this.time(body.createdAt) };
    this.state = { ...this.state, likes: [...this.state.likes, like] };
    return { user: user.username ?? user.id, val: refTo(val), createdAt: iso(like.at) };
  }

  protected addComment(body: Json, learn: Learn): Json {
    if (body.comment === undefined) refuse(422);
    const [user, val] = [this.ref(body.author), this.valRef(body.val)];
    const id = stringOr(body.id, undefined) ?? learn('id');
    const comment = { id, user: user.id, val: val.id, at: this.time(body.createdAt), comment: String(body.comment) };
    this.state = { ...this.state, comments: [...this.state.comments, comment] };
    return this.exportComment(comment);
  }

  exportRun({ id, val, at, end, source, error, version, parentId, rest }: Run): Json {
    const [runStartAt, runEndAt] = [iso(at), end === null ? null : iso(end)];
    return { id, val: this.refTo(val), version, runStartAt, runEndAt, error, source, parentId, ...rest };
  }
  exportComment = ({ id, user, val, at, comment }: State['comments'][number]): Json => {
    return { id, author: this.userRef(user), val: this.refTo(val), comment, createdAt: iso(at) };
  };
  exportBlob = ({ user, key, text, at }: State['blobs'][number]): Json => {
    return { user: this.userRef(user), key, text, createdAt: iso(at) };
  };
  exportDatabase = ({ user, notes, at }: State['databases'][number]): Json => {
    return { user: this.userRef(user), sql: toSql(notes), updatedAt: iso(at) };
  };
  protected userRef = (id: string) => this.state.users.find((user) => user.id === id)?.username ?? id;
  protected refTo = (id: string) => refTo(this.state.vals.find((val) => val.id === id) ?? refuse(500));

  /** All records as fixtures. */
  export(): Json {
    const { users, tokens, vals, runs, likes, comments, blobs, databases } = this.state;
    const byVal = likes.toSorted((a, b) => (`${a.val} ${a.user}` < `${b.val} ${b.user}` ? -1 : 1));
    return {
      users: users.map((user) => ({ ...user })),
      ...exportProjects(this.state.projects),
      clients: [],
      grants: [],
      tokens: tokens.map((each) => ({ ...each, user: this.userRef(each.user) })),
      vals: vals.map(exportVal),
      versions: vals.flatMap((val) =>
        val.versions
          .slice(0, -1)
          .map(({ version, code, at }) => ({ val: refTo(val), version, code, createdAt: iso(at) })),
      ),
      runs: runs.map((run) => this.exportRun(run)),
      likes: byVal.map(({ user, val, at }) => ({
        user: this.userRef(user),
        val: this.refTo(val),
        createdAt: iso(at),
      })),
      comments: comments.map(this.exportComment),
      emails: [],
      blobs: blobs.map(this.exportBlob),
      sqlite: databases.map(this.exportDatabase),
    };
  }
}

function exportProjects(projects: State['projects']): Json {
  const toReference = ({ owner, name }: State['projects'][number]) => `${owner}/${name}`;
  return {
    organizations: [],
    memberships: [],
    projects: projects.map(({ owner, name, id, at }) => {
      return { owner, name, id, privacy: 'public', description: null, imageUrl: null, createdAt: iso(at) };
    }),
    branches: projects.flatMap((project) =>
      project.branches.map(({ id, name, from, createdAt }) => ({
        ...{ project: toReference(project), name, id, createdAt: iso(createdAt) },
        ...{ from: from?.name ?? null, version: from?.version ?? null },
      })),
    ),
    commits: projects.flatMap(({ commits }) => commits),
    environment: projects.flatMap((project) =>
      // As the API lists them.
      project.variables
        .toSorted((a, b) => (a.key < b.key ? -1 : 1))
        .map(({ key, at, updatedAt }) => ({
          ...{ project: toReference(project), key, value: null, description: null },
          ...{ createdAt: iso(at), updatedAt: iso(updatedAt) },
        })),
    ),
    responses: [],
  };
}

const refTo = ({ id, name, author }: Val) => (author.username === null ? id : `${author.username}/${name}`);
export function exportVal(val: Val): Json {
  const { author, name, id, next: nextVersion, readme, privacy, type, at } = val;
  const { version, code, at: versionAt } = latest(val);
  const times = { createdAt: iso(at), versionCreatedAt: iso(versionAt) };
  return {
    author: author.username ?? author.id,
    name,
    id,
    code,
    version,
    nextVersion,
    readme,
    privacy,
    type,
    ...times,
  };
}
