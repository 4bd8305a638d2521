import { didYouMean, formatValue } from '#engine/lib/messages.js';
import { DURATION_EXAMPLES, parseDuration } from '#engine/lib/time.js';
import type { CollectionName, Fixtures, Input, ValType } from './collections/index.js';

/** A time before now: `ago: '5m'` is short for a time of `'-5m'`. */
interface Ago {
  readonly ago?: string | undefined;
}

export type UserSettings = Omit<Input<'users'>, 'username'>;
export type TokenSettings = Omit<Input<'tokens'>, 'user' | 'token'>;
export type ValSettings = Omit<Input<'vals'>, 'author' | 'name'> & Ago;
export type VersionSettings = Omit<Input<'versions'>, 'val' | 'code'> & Ago;
export type RunSettings = Omit<Input<'runs'>, 'val'> & Ago;
export type LikeSettings = Omit<Input<'likes'>, 'user' | 'val'> & Ago;
export type CommentSettings = Omit<Input<'comments'>, 'author' | 'val' | 'comment'> & Ago;
export type EmailSettings = Omit<Input<'emails'>, 'user'> & Ago;
export type BlobSettings = Omit<Input<'blobs'>, 'user' | 'project' | 'key'> & Ago;
export type DatabaseSettings = Omit<Input<'sqlite'>, 'user' | 'project'> & Ago;

/** An invalid call of the builder. */
export class FixtureBuilderError extends TypeError {
  override name = 'FixtureBuilderError';
}

const RESPONDS = 'export default () => new Response("ok");';
const VALUE = 'export const value = 1;';
/** The shortest code of each type. */
const DEFAULT_CODE: Readonly<Record<ValType, string>> = {
  http: RESPONDS,
  httpnext: RESPONDS,
  express: 'export const handler = (req, res) => res.send("ok");',
  interval: 'export default function (interval: Interval) {}',
  email: 'export default function (email: Email) {}',
  script: VALUE,
  rpc: VALUE,
};

/**
 * Builds fixtures for a test step by step:
 *
 *     fixture().user('ada').val('hello', { code }).run({ error: 'boom', ago: '5m' }).user('grace').val('bye')
 *
 * Each step can be passed as `createEmulator({ fixtures: … })`. All steps share their records.
 */
export const fixture = (): FixtureBuilder => new FixtureBuilder();

/** Builds fixtures, starting with a user. */
export class FixtureBuilder {
  readonly users: Input<'users'>[] = [];
  readonly tokens: Input<'tokens'>[] = [];
  readonly vals: Input<'vals'>[] = [];
  readonly versions: Input<'versions'>[] = [];
  readonly runs: Input<'runs'>[] = [];
  readonly likes: Input<'likes'>[] = [];
  readonly comments: Input<'comments'>[] = [];
  readonly emails: Input<'emails'>[] = [];
  readonly blobs: Input<'blobs'>[] = [];
  readonly sqlite: Input<'sqlite'>[] = [];

  /** @internal Use {@link fixture}. Shares the records of the previous step. */
  constructor(previous?: FixtureBuilder) {
    Object.assign(this, previous);
  }

  /**
   * Adds a user, or returns to the user of this name.
   * @throws FixtureBuilderError for settings of a user that was added before
   */
  user(username: string, settings?: UserSettings): UserBuilder {
    const found = findUser(this, username);
    if (found && settings) throw alreadyExists('user', username);
    if (!found) this.users.push({ username, ...settings });
    return new UserBuilder(this, found?.username ?? username);
  }

  /** Returns the fixtures so far. Later steps do not change them. */
  build(): Required<Pick<Fixtures, CollectionName & keyof FixtureBuilder>> {
    const { users, tokens, vals, versions, runs, likes, comments, emails, blobs, sqlite } = this;
    return structuredClone({ users, tokens, vals, versions, runs, likes, comments, emails, blobs, sqlite });
  }
}

/** Builds the tokens, vals, emails, blobs and SQLite database of a user. */
export class UserBuilder extends FixtureBuilder {
  readonly #username: string;

  /** @internal */
  constructor(previous: FixtureBuilder, username: string) {
    super(previous);
    this.#username = username;
  }

  /**
   * Adds a val, by default with a line of code, or returns to the val of this name.
   * @throws FixtureBuilderError for settings of a val that was added before, or an invalid time
   */
  val(name: string, settings?: ValSettings): ValBuilder {
    const found = this.vals.find((val) => isSame(val.author, this.#username) && isSame(val.name, name));
    if (found && settings) throw alreadyExists('val', `${this.#username}/${name}`);
    if (found) return new ValBuilder(this, this.#username, found);
    const given = withTime('createdAt', settings ?? {});
    const val = { author: this.#username, name, code: DEFAULT_CODE[given.type ?? 'script'], ...given };
    this.vals.push(val);
    return new ValBuilder(this, this.#username, val);
  }

  /** Adds a further token of the user. Default scopes: all */
  token(token: string, settings: TokenSettings = {}): this {
    this.tokens.push({ user: this.#username, token, ...settings });
    return this;
  }

  /** Adds an email that the user has sent. Default recipient: the user */
  email(settings: EmailSettings = {}): this {
    this.emails.push({ user: this.#username, ...withTime('createdAt', settings) });
    return this;
  }

  /** Adds a blob of the user. Its content is text, `json` or base64, by default empty. */
  blob(key: string, settings: BlobSettings = {}): this {
    this.blobs.push({ user: this.#username, key, ...withTime('createdAt', settings) });
    return this;
  }

  /**
   * Adds the SQLite database of the user, made by base64, then `sql`, then `rows`.
   * @throws FixtureBuilderError for a second database of the user
   */
  database(settings: DatabaseSettings): this {
    if (this.sqlite.some(({ user = '' }) => isSame(user, this.#username)))
      throw alreadyExists('database', this.#username);
    this.sqlite.push({ user: this.#username, ...withTime('updatedAt', settings) });
    return this;
  }
}

/** Builds the versions, runs, likes and comments of a val. */
export class ValBuilder extends UserBuilder {
  readonly #val: Input<'vals'>;
  readonly #ref: string;

  /** @internal */
  constructor(previous: FixtureBuilder, username: string, val: Input<'vals'>) {
    super(previous, username);
    this.#val = val;
    this.#ref = `${username}/${val.name}`;
  }

  /** Gives the val new code. Its present code becomes an older version. */
  version(code: string | string[], settings: VersionSettings = {}): this {
    const { version, createdAt } = withTime('createdAt', settings);
    const { code: codeBefore, createdAt: valCreatedAt, versionCreatedAt = valCreatedAt } = this.#val;
    const numberBefore = this.#val.version ?? this.versions.filter(({ val }) => val === this.#ref).length;
    const number = version ?? numberBefore + 1;
    if (number <= numberBefore) {
      const problem = `found ${number}; expected more than ${numberBefore}, its latest.`;
      throw new FixtureBuilderError(`version ${number} of ${this.#ref}: ${problem}`);
    }
    if (codeBefore !== undefined) {
      const time = versionCreatedAt === undefined ? {} : { createdAt: versionCreatedAt };
      this.versions.push({ val: this.#ref, code: codeBefore, version: numberBefore, ...time });
    }
    this.#val.code = code;
    this.#val.version = number;
    if (createdAt !== undefined) this.#val.versionCreatedAt = createdAt;
    return this;
  }

  /** Adds a run. Default time: now. */
  run(settings: RunSettings = {}): this {
    this.runs.push({ val: this.#ref, ...withTime('runStartAt', settings) });
    return this;
  }

  /** Adds a like by a user. */
  like(username: string, settings: LikeSettings = {}): this {
    this.#expectUser(username);
    this.likes.push({ user: username, val: this.#ref, ...withTime('createdAt', settings) });
    return this;
  }

  /** Adds a comment by a user. */
  comment(username: string, comment: string | string[], settings: CommentSettings = {}): this {
    this.#expectUser(username);
    this.comments.push({ author: username, val: this.#ref, comment, ...withTime('createdAt', settings) });
    return this;
  }

  #expectUser(username: string): void {
    if (findUser(this, username)) return;
    const names = this.users.flatMap((user) => user.username ?? []);
    const hint = didYouMean(username, names) || ` Call .user(${formatValue(username)}) first.`;
    throw new FixtureBuilderError(`there is no user ${formatValue(username)}.${hint}`);
  }
}

const alreadyExists = (noun: 'user' | 'val' | 'database', name: string) =>
  new FixtureBuilderError(`${noun} ${formatValue(name)} exists already: pass settings to the first call of ${noun}().`);
const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const findUser = ({ users }: FixtureBuilder, name: string) =>
  users.find(({ username, id }) => isSame(username ?? id ?? '', name));

/** Converts `ago` to a time. */
function withTime<K extends string, S extends Ago & { readonly [key in K]?: string | undefined }>(
  key: K,
  settings: S,
): Omit<S, 'ago'> {
  const { ago, ...others } = settings;
  if (ago === undefined) return others;
  if (settings[key] !== undefined) throw new FixtureBuilderError(`found both ago and ${key}; expected one of them.`);
  if (typeof ago !== 'string' || parseDuration(ago) === undefined) {
    const problem = `found ${formatValue(ago)}; expected a length of time such as ${DURATION_EXAMPLES}.`;
    throw new FixtureBuilderError(`ago: ${problem}`);
  }
  return { ...others, [key]: `-${ago}` };
}
