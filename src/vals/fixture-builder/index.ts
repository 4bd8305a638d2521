import { didYouMean, formatValue } from '#engine/lib/messages.js';
import type { CollectionName, Fixtures, Input, ValType } from '../collections/index.js';
import type * as given from './settings.js';
import { FixtureBuilderError, withTime } from './settings.js';

export { FixtureBuilderError } from './settings.js';

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
  readonly organizations: Input<'organizations'>[] = [];
  readonly memberships: Input<'memberships'>[] = [];
  readonly projects: Input<'projects'>[] = [];
  readonly branches: Input<'branches'>[] = [];
  readonly commits: Input<'commits'>[] = [];
  readonly environment: Input<'environment'>[] = [];
  readonly responses: Input<'responses'>[] = [];
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
  user(username: string, settings?: given.UserSettings): UserBuilder {
    const found = findUser(this, username);
    if (found && settings) throw alreadyExists('user', username);
    if (!found) this.users.push({ username, ...settings });
    return new UserBuilder(this, found?.username ?? username);
  }

  /**
   * Adds an organization, or returns to the one of this name.
   * @throws FixtureBuilderError for settings of an organization that was added before, or an invalid time
   */
  organization(username: string, settings?: given.OrganizationSettings): OrganizationBuilder {
    const found = this.organizations.find((each) => isSame(each.username, username));
    if (found && settings) throw alreadyExists('organization', username);
    if (!found) this.organizations.push({ username, ...withTime('createdAt', settings ?? {}) });
    return new OrganizationBuilder(this, found?.username ?? username);
  }

  /** Returns the fixtures so far. Later steps do not change them. */
  build(): Required<Pick<Fixtures, CollectionName & keyof FixtureBuilder>> {
    const { users, tokens, organizations, memberships, projects, branches, commits, environment, responses } = this;
    const { vals, versions, runs, likes, comments, emails, blobs, sqlite } = this;
    return structuredClone({
      ...{ users, tokens, organizations, memberships, projects, branches, commits, environment, responses },
      ...{ vals, versions, runs, likes, comments, emails, blobs, sqlite },
    });
  }
}

/** Builds the projects of a user or an organization. */
class OwnerBuilder extends FixtureBuilder {
  readonly #owner: string;

  /** @internal */
  constructor(previous: FixtureBuilder, owner: string) {
    super(previous);
    this.#owner = owner;
  }

  /**
   * Adds a project, by default without files, or returns to the project of this name and its branch main.
   * @throws FixtureBuilderError for settings of a project that was added before, or an invalid time
   */
  project(name: string, settings?: given.ProjectSettings): ProjectBuilder {
    const owner = this.#owner;
    const found = this.projects.find((each) => isSame(each.owner, owner) && isSame(each.name, name));
    if (found && settings) throw alreadyExists('project', `${owner}/${name}`);
    if (!found) this.projects.push({ owner, name, ...withTime('createdAt', settings ?? {}) });
    return new ProjectBuilder(this, owner, `${owner}/${found?.name ?? name}`);
  }
}

/** Builds the members and projects of an organization. */
export class OrganizationBuilder extends OwnerBuilder {
  readonly #username: string;

  /** @internal */
  constructor(previous: FixtureBuilder, username: string) {
    super(previous, username);
    this.#username = username;
  }

  /** Adds a user to the organization. @throws FixtureBuilderError for a user that was not added before */
  member(username: string, settings: given.MemberSettings = {}): this {
    expectUser(this, username);
    this.memberships.push({ organization: this.#username, user: username, ...settings });
    return this;
  }
}

/** Builds the commits, branches, variables and responses of a project. */
export class ProjectBuilder extends OwnerBuilder {
  readonly #project: string;
  readonly #branch: string;

  /** @internal */
  constructor(previous: FixtureBuilder, owner: string, project: string, branch = 'main') {
    super(previous, owner);
    this.#project = project;
    this.#branch = branch;
  }

  /**
   * Adds a branch, by default from the main branch so far, or returns to the branch of this name. Commits go to it then.
   * @throws FixtureBuilderError for settings of a branch that was added before, or an invalid time
   */
  branch(name: string, settings?: given.BranchSettings): ProjectBuilder {
    const [project, owner = ''] = [this.#project, this.#project.split('/')[0]];
    const isKnown = name === 'main' || this.branches.some((each) => each.project === project && each.name === name);
    if (isKnown && settings) throw alreadyExists('branch', `${project}@${name}`);
    if (!isKnown) {
      const version = settings?.version ?? this.#countCommits(settings?.from ?? 'main');
      const start = version === undefined ? {} : { version };
      this.branches.push({ project, name, ...withTime('createdAt', settings ?? {}), ...start });
    }
    return new ProjectBuilder(this, owner, project, name);
  }

  /** Counts the commits of a branch so far, so that later ones do not move a fork. Undefined for a branch in the settings of the project. */
  #countCommits(branch: string): number | undefined {
    const found = this.projects.find(({ owner, name }) => isSame(`${owner}/${name}`, this.#project));
    if (found?.branches?.some(({ name }) => name === branch)) return undefined;
    const hasFiles = branch === 'main' && (found?.files ?? found?.folder) !== undefined;
    return Number(hasFiles) + this.commits.filter((each) => each.branch === `${this.#project}@${branch}`).length;
  }

  /** Adds a commit to the branch: files by path, null for one that is deleted. */
  commit(files: given.CommitFiles, settings: given.CommitSettings = {}): this {
    this.commits.push({ branch: `${this.#project}@${this.#branch}`, files, ...withTime('createdAt', settings) });
    return this;
  }

  /** Adds an environment variable. */
  env(key: string, value: string, settings: given.EnvSettings = {}): this {
    this.environment.push({ project: this.#project, key, value, ...withTime('createdAt', settings) });
    return this;
  }

  /** Adds what a file responds when a tool runs it: on each branch, unless the settings name one. */
  response(file: string, settings: given.ResponseSettings = {}): this {
    this.responses.push({ project: this.#project, file, ...settings });
    return this;
  }
}

/** Builds the projects, tokens, vals, emails, blobs and SQLite database of a user. */
export class UserBuilder extends OwnerBuilder {
  readonly #username: string;

  /** @internal */
  constructor(previous: FixtureBuilder, username: string) {
    super(previous, username);
    this.#username = username;
  }

  /**
   * Adds a val, by default with a line of code, or returns to the val of this name.
   * @throws FixtureBuilderError for settings of a val that was added before, or an invalid time
   */
  val(name: string, settings?: given.ValSettings): ValBuilder {
    const found = this.vals.find((val) => isSame(val.author, this.#username) && isSame(val.name, name));
    if (found && settings) throw alreadyExists('val', `${this.#username}/${name}`);
    if (found) return new ValBuilder(this, this.#username, found);
    const timed = withTime('createdAt', settings ?? {});
    const val = { author: this.#username, name, code: DEFAULT_CODE[timed.type ?? 'script'], ...timed };
    this.vals.push(val);
    return new ValBuilder(this, this.#username, val);
  }

  /** Adds a further token of the user. Default scopes: all */
  token(token: string, settings: given.TokenSettings = {}): this {
    this.tokens.push({ user: this.#username, token, ...settings });
    return this;
  }

  /** Adds an email that the user has sent. Default recipient: the user */
  email(settings: given.EmailSettings = {}): this {
    this.emails.push({ user: this.#username, ...withTime('createdAt', settings) });
    return this;
  }

  /** Adds a blob of the user. Its content is text, `json` or base64, by default empty. */
  blob(key: string, settings: given.BlobSettings = {}): this {
    this.blobs.push({ user: this.#username, key, ...withTime('createdAt', settings) });
    return this;
  }

  /**
   * Adds the SQLite database of the user, made by base64, then `sql`, then `rows`.
   * @throws FixtureBuilderError for a second database of the user
   */
  database(settings: given.DatabaseSettings): this {
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
  version(code: string | string[], settings: given.VersionSettings = {}): this {
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
  run(settings: given.RunSettings = {}): this {
    this.runs.push({ val: this.#ref, ...withTime('runStartAt', settings) });
    return this;
  }

  /** Adds a like by a user. */
  like(username: string, settings: given.LikeSettings = {}): this {
    expectUser(this, username);
    this.likes.push({ user: username, val: this.#ref, ...withTime('createdAt', settings) });
    return this;
  }

  /** Adds a comment by a user. */
  comment(username: string, comment: string | string[], settings: given.CommentSettings = {}): this {
    expectUser(this, username);
    this.comments.push({ author: username, val: this.#ref, comment, ...withTime('createdAt', settings) });
    return this;
  }
}

/** @throws FixtureBuilderError for a user that was not added before */
function expectUser(builder: FixtureBuilder, username: string): void {
  if (findUser(builder, username)) return;
  const names = builder.users.flatMap((user) => user.username ?? []);
  const hint = didYouMean(username, names) || ` Call .user(${formatValue(username)}) first.`;
  throw new FixtureBuilderError(`there is no user ${formatValue(username)}.${hint}`);
}

const alreadyExists = (noun: string, name: string) =>
  new FixtureBuilderError(`${noun} ${formatValue(name)} exists already: pass settings to the first call of ${noun}().`);
const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const findUser = ({ users }: FixtureBuilder, name: string) =>
  users.find(({ username, id }) => isSame(username ?? id ?? '', name));
