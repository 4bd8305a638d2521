import { handle, Pipeline } from './pipeline.js';
import type { Comment, Json, Run, User, Val, Version } from './records.js';
import {
  type Call,
  choice,
  importsOf,
  integer,
  invalid,
  iso,
  latest,
  newest,
  noVal,
  refuse,
  same,
  text,
  uuid,
} from './request.js';

const SERVED = ['http', 'httpnext', 'express'];
const author = ({ id, username }: User) => ({ id, username });

/** What every route that reads shows. */
export abstract class Reads extends Pipeline {
  // Who is meant, and whether the caller may see or change it.

  protected user = (id: string): User =>
    this.state.users.find((user) => user.id === id) ?? refuse(404, 'The user was not found');

  protected named({ params: [name = ''] }: Call): User {
    const user = this.state.users.find(({ username }) => same(username, name.replace(/^@/, '')));
    return user ?? refuse(404, 'The user was not found');
  }

  protected visible(call: Call): Val {
    const id = uuid('val_id', call.params[0]);
    return this.state.vals.find((val) => val.id === id && isVisible(val, call.caller)) ?? noVal();
  }

  protected own(call: Call): Val {
    const { me } = call;
    const id = uuid('val_id', call.params[0]);
    return this.state.vals.find((val) => val.id === id && val.author.id === me.id) ?? noVal();
  }

  protected val = (id: string): Val => this.state.vals.find((val) => val.id === id) ?? refuse(500);

  protected byName = (user: User, name: string): Val | undefined =>
    this.state.vals.find((val) => val.author.id === user.id && same(val.name, name));

  // What responses show.

  protected profile({ request: { base } }: Call, user: User): Json {
    const { id, bio, username, profileImageUrl } = user;
    const links = { self: `${base}/v1/users/${id}` };
    return { id, bio, username, profileImageUrl, url: `https://val.town/u/${handle(user)}`, links };
  }

  protected basic({ request: { base } }: Call, val: Val, { version, code } = latest(val)): Json {
    const { id, name, privacy, type } = val;
    const self = `${base}/v1/vals/${id}`;
    const path = `${handle(val.author)}/${name}`;
    const endpoint = `https://${path.replace('/', '-').toLowerCase()}.web.val.run`;
    return {
      ...{ id, name, version, code, privacy, type, public: privacy === 'public', createdAt: iso(val.at) },
      url: `https://val.town/v/${path}`,
      links: {
        ...{ self, versions: `${self}/versions`, module: `https://esm.town/v/${path}?v=${version}` },
        ...(SERVED.includes(type) && { endpoint }),
      },
      author: author(val.author),
    };
  }

  protected extended(call: Call, val: Val, version = latest(val)): Json {
    const { vals, likes } = this.state;
    const importers = vals.filter((each) => each.privacy === 'public' && each.id !== val.id && imports(each, val));
    return {
      ...this.basic(call, val, version),
      likeCount: likes.filter((like) => like.val === val.id).length,
      referenceCount: importers.length,
      readme: val.readme,
      versionCreatedAt: iso(version.at),
    };
  }

  protected runView({ val: id, rest: _rest, at, end, source: _source, version, ...run }: Run): Json {
    const val = this.val(id);
    const { name, privacy } = val;
    const by = { author: author(val.author), author_id: val.author.id, username: val.author.username };
    const ran = { id, name, privacy, version, public: privacy === 'public', ...by };
    return { ...run, runStartAt: iso(at), runEndAt: end === null ? null : iso(end), val: ran };
  }

  protected commentView({ id, user, val: valId, at, comment }: Comment): Json {
    const val = this.val(valId);
    const { name, privacy } = val;
    const on = { id: valId, name, privacy, version: latest(val).version, author: author(val.author) };
    return { id, comment, createdAt: iso(at), author: author(this.user(user)), val: on };
  }

  // Reads.

  protected runs(call: Call, of: () => readonly Val[]): Json {
    const { me: _me, within } = call;
    const { error, source } = Object.fromEntries(call.query);
    if (error !== undefined && !/^(true|false)$/.test(error)) invalid('querystring/error must be boolean');
    const { paging: _paging } = call;
    const ids = of().map(({ id }) => id);
    const found = this.state.runs
      .filter((run) => ids.includes(run.val) && within(run))
      .filter((run) => error === undefined || `${run.error !== null}` === error)
      .filter((run) => source === undefined || source.split(',').includes(run.source));
    return call.page(newest(found).map((run) => this.runView(run)));
  }

  protected run({ me, params }: Call): Json {
    const id = uuid('run_id', params[0]);
    const run = this.state.runs.find((each) => each.id === id && this.val(each.val).author.id === me.id);
    return run ? { ...this.runView(run), ...run.rest } : refuse(404, 'The run was not found');
  }

  protected likes(call: Call): Json {
    const { me } = call;
    const mine = this.state.likes.filter((like) => like.user === me.id);
    const vals = mine.sort((a, b) => b.at - a.at || (a.val < b.val ? -1 : 1)).map((like) => this.val(like.val));
    return call.page(vals.filter((val) => isVisible(val, me)).map((val) => this.basic(call, val)));
  }

  protected comments(call: Call): Json {
    const { me, within } = call;
    const relationship = call.query.get('relationship') ?? 'any';
    choice('querystring/relationship', relationship, ['any', 'given', 'received']);
    const found = this.state.comments.filter((comment) => {
      const val = this.val(comment.val);
      const given = comment.user === me.id && relationship !== 'received';
      const received = val.author.id === me.id && relationship !== 'given';
      return (given || received) && isVisible(val, me) && within(comment);
    });
    return call.page(newest(found).map((comment) => this.commentView(comment)));
  }

  protected references(call: Call): Json {
    const { me, within } = call;
    const view = ({ id, name, author: by }: Val) => ({ id, name, username: by.username, author_id: by.id });
    const mine = this.state.vals.filter((val) => val.author.id === me.id);
    const found = this.state.vals
      .filter((val) => isListed(val, me))
      .flatMap((val) => mine.map((target) => ({ val, target, at: latest(val).at, name: target.name.toLowerCase() })))
      .filter(({ val, target, at }) => val.id !== target.id && imports(val, target) && within({ at }))
      .sort((a, b) => b.at - a.at || compare(a.val.id, b.val.id) || compare(a.name, b.name));
    return call.page(
      found.map(({ val, target, at }) => ({ reference: view(val), dependsOn: view(target), referencedAt: iso(at) })),
    );
  }

  protected versions(call: Call): Json {
    uuid('val_id', call.params[0]);
    const { paging: _paging } = call;
    const { id, versions } = this.visible(call);
    const views = versions.map(({ version, at }) => ({ val_id: id, version, createdAt: iso(at) }));
    return call.page(views.reverse());
  }

  protected version(call: Call): Json {
    uuid('val_id', call.params[0]);
    const number = integer('params/version', call.params[1] ?? '', 0, Number.MAX_SAFE_INTEGER);
    const { paging: _paging } = call;
    const val = this.visible(call);
    return this.extended(call, val, findVersion(val, number));
  }

  protected valsOf(call: Call): Json {
    const id = uuid('user_id', call.params[0]);
    const { paging: _paging } = call;
    const user = this.user(id);
    const vals = this.state.vals.filter((val) => val.author.id === user.id && isListed(val, call.caller));
    return call.page(newest(vals).map((val) => this.basic(call, val)));
  }

  protected search(call: Call): Json {
    const query = call.query.get('query') ?? invalid("querystring must have required property 'query'");
    const words = (text('querystring/query', query, 1, 512) ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const found = newest(this.state.vals.filter(({ privacy }) => privacy === 'public'))
      .map((val) => ({ val, rank: words.reduce((sum, word) => sum + rankOf(val, word), 0) }))
      .filter(({ rank }) => rank < Infinity)
      .sort((a, b) => a.rank - b.rank);
    return call.page(found.map(({ val }) => this.basic(call, val)));
  }

  protected alias(call: Call): Json {
    const [username = '', name = ''] = call.params;
    const user = this.state.users.find((each) => same(each.username, username.replace(/^@/, '')));
    const val = user && this.byName(user, name);
    return val && isVisible(val, call.caller) ? this.extended(call, val) : noVal();
  }
}

export const findVersion = ({ versions }: Val, number: number): Version =>
  versions.find(({ version }) => version === number) ?? refuse(404, 'Val or version not found');
const isVisible = (val: Val, caller: User | undefined) => val.privacy !== 'private' || val.author.id === caller?.id;
const isListed = (val: Val, caller: User | undefined) => val.privacy === 'public' || val.author.id === caller?.id;
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const imports = (val: Val, { author: by, name }: Val): boolean =>
  by.username !== null && importsOf(latest(val).code).includes(`${by.username}/${name}`.toLowerCase());
/** The lower, the better: the val of that name, names that begin with it, that hold it, the readme, the code. */
function rankOf(val: Val, word: string): number {
  const name = val.name.toLowerCase();
  const places = [name === word, name.startsWith(word), name.includes(word)];
  const texts = [val.readme ?? '', latest(val).code].map((each) => each.toLowerCase().includes(word));
  const rank = [...places, ...texts].indexOf(true);
  return rank < 0 ? Infinity : rank;
}
