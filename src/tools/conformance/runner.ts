import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '#engine/lib/objects.js';
import type { Redactor } from '#engine/lib/redactor.js';
import { type FurtherTokens, OBSTACLES } from './account.js';
import { type Case, createsVal, LEVELS, type Level, type Sender, type Step } from './case.js';
import { NEEDS } from './cases/index.js';
import { Expecter } from './expect.js';
import { type Reply, type Service, ServiceError, UnreachableError } from './remote-service.js';
import { type ReportEntry, showExchange } from './report.js';
import { MissingValueError, Values } from './values.js';

/** The headings of a report. */
const SOURCES = {
  specification: 'specification',
  record: 'public record of the service',
  chosen: 'choice of this project',
} as const;

/** Attempts in a row without a response, after which one more request decides whether the run continues. */
const MAX_UNREACHABLE = 6;

export interface RunnerOptions {
  readonly service: Service;
  /** The same service for clean-up: no signal ends its requests. */
  readonly cleaner: Service;
  readonly tokens: FurtherTokens;
  readonly level: Level;
  readonly redactor: Redactor;
  /** Values found by exploring the account. */
  readonly found: Map<string, unknown>;
  /** Sentences by route and id. */
  readonly rules: ReadonlyMap<string, string>;
}

/** A val, a blob or a table that a case has created. */
interface Created {
  /** Method and path of the request that deletes it. */
  readonly remove: readonly [method: string, path: string];
  readonly body?: string;
  readonly name: string;
  readonly token: string | undefined;
}

/** Runs cases one after another, and deletes what they create. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #expecter: Expecter;
  /** Names of the vals of this run begin with it. */
  readonly #prefix = `conformance_${randomBytes(3).toString('hex')}`;
  readonly #unknownToken = `conformance-${randomBytes(12).toString('hex')}`;
  #count = 0;
  #unreachable = 0;
  #created: Created[] = [];
  #prepared: Created[] = [];
  /** Names of what could not be deleted, and of vals that may exist. */
  readonly leftovers: string[] = [];

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#expecter = new Expecter(options.service.base);
  }

  /**
   * Runs a case. One that fails is run once more: the data of an account in use may change between two requests.
   * @throws ServiceError if the service is gone
   */
  async run(tested: Case): Promise<ReportEntry> {
    const { id, route, source, title: rule, level = 'read' } = tested;
    const basis = this.#options.rules.get(`${route} ${tested.rule}`);
    const about = { id, rule, basis, group: SOURCES[source] };
    if (LEVELS.indexOf(level) > LEVELS.indexOf(this.#options.level)) {
      return { ...about, outcome: 'skipped', reason: `it needs --level ${level}` };
    }
    try {
      const first = await this.#attempt(tested);
      const { problems, replies } = first.problems.length === 0 ? first : await this.#attempt(tested);
      if (problems.length === 0) return { ...about, outcome: 'passed' };
      if (this.#unreachable >= MAX_UNREACHABLE) {
        await this.#options.service.send('GET', '/v1/me');
        this.#unreachable = 0;
      }
      const { redactor } = this.#options;
      return {
        ...about,
        outcome: source === 'chosen' && !isLetIn(tested, replies.at(-1)) ? 'different' : 'failed',
        reason: redactor.redact(problems.join('; ')),
        exchanges: replies.slice(-2).map((reply) => showExchange(reply, redactor)),
      };
    } catch (error) {
      if (!(error instanceof MissingValueError)) throw error;
      const obstacle = OBSTACLES[error.path] ?? OBSTACLES[error.path.split('.')[0] ?? ''];
      if (obstacle !== undefined) return { ...about, outcome: 'skipped', reason: obstacle };
      return { ...about, outcome: 'failed', reason: `a response has no ${error.path}` };
    }
  }

  /** Creates missing vals of the account, if the level allows it. {@link close} deletes them. */
  async prepare(): Promise<void> {
    const { found, level, tokens } = this.#options;
    if (level === 'read') return;
    for (const [name, { makes }] of Object.entries(NEEDS)) {
      if (!makes || found.has(name) || (makes.as === 'second' && tokens.second === undefined)) continue;
      const body = { name: `${this.#prefix}_${name}`, code: 'export const a = 1;', privacy: makes.privacy };
      const step: Step = { send: 'POST /v1/vals', body, as: makes.as };
      const { status, json } = await this.#send(step, new Values(found));
      if (status < 300) found.set(name, json);
    }
    this.#prepared = this.#created;
    this.#created = [];
  }

  /** Deletes the vals of {@link prepare}. */
  async close(): Promise<void> {
    // An interrupted preparation has created some as well.
    this.#created.push(...this.#prepared);
    await this.#deleteCreated();
  }

  async #attempt({ needs = [], arrange = [], act, expect }: Case) {
    const name = `${this.#prefix}_${++this.#count}`;
    const names = { a: `${name}_a`, b: `${name}_b` };
    const values = new Values([...this.#options.found, ['new', names]]);
    const replies: Reply[] = [];
    const send = async (step: Step) => {
      if (step.pause !== undefined) await sleep(step.pause);
      const reply = await this.#send(step, values);
      replies.push(reply);
      if (step.save !== undefined) values.set(step.save, reply.json);
      return reply;
    };
    try {
      for (const step of arrange) {
        const { status, json } = await send(step);
        const isRight = step.status === undefined ? status < 300 && !isRefusedCall(json) : status === step.status;
        if (isRight) continue;
        const wanted = step.status === undefined ? 'a success' : `the status ${step.status}`;
        return { problems: [`expected ${wanted} of ${step.send}, found ${status}`], replies };
      }
      for (const need of needs) values.find(need);
      const reply = await send(typeof act === 'string' ? { send: act } : act);
      return { problems: this.#expecter.findProblems(reply, expect, values, replies.at(-2)), replies };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error instanceof UnreachableError) this.#unreachable++;
      return { problems: [error.message], replies };
    } finally {
      await this.#deleteCreated();
    }
  }

  async #send(step: Step, values: Values): Promise<Reply> {
    const { service } = this.#options;
    const [method = '', ...rest] = step.send.split(' ');
    const target = values.fill(rest.join(' '));
    const content = values.fillAll(step.body);
    const text = content === undefined ? step.text : JSON.stringify(content);
    const body = step.hex === undefined ? text : Buffer.from(step.hex, 'hex');
    const headers = { ...(body !== undefined && JSON_BODY), ...step.headers };
    const token = this.#chooseToken(step.as, values);
    const track = (json?: unknown) => {
      const created = listCreated(step.send, target, text, json);
      // A token of the account that may create something may be unable to delete it.
      const remover = step.as === 'second' ? this.#options.tokens.second : undefined;
      this.#created.push(...created.map((each) => ({ ...each, token: remover })));
    };
    const reply = await service
      .sendPatiently(method, target, { headers, body, token, scheme: step.scheme })
      .catch((error: unknown) => {
        // The service may have created it.
        if (createsVal(step.send) && error instanceof ServiceError) this.leftovers.push(`val ${readName(content)}`);
        track();
        throw error;
      });
    this.#unreachable = 0;
    if (reply.status < 300) track(reply.json);
    return reply;
  }

  #chooseToken(sender: Sender = 'me', values: Values): string | null | undefined {
    if (sender === 'anonymous') return null;
    if (sender === 'unknown') return this.#unknownToken;
    if (sender === 'me') return undefined;
    values.find(sender);
    return this.#options.tokens[sender];
  }

  async #deleteCreated(): Promise<void> {
    const { cleaner } = this.#options;
    const created = this.#created;
    this.#created = [];
    // A PUT returns the same val again.
    const different = new Map(created.map((each) => [`${each.remove.join(' ')} ${each.body}`, each]));
    for (const { name, remove, body, token } of different.values()) {
      const headers = body === undefined ? undefined : ANY_MESSAGE;
      const reply = await cleaner.sendPatiently(...remove, { headers, body, token }).catch(() => undefined);
      const isGone = reply && (reply.status === 404 || (reply.status < 300 && !isRefusedCall(reply.json)));
      if (!isGone) this.leftovers.push(name);
    }
  }
}

/** A user may write who must not: that is no choice, whatever the source of the rule. */
function isLetIn({ act, expect }: Case, reply: Reply | undefined): boolean {
  const { send, as = 'me' } = typeof act === 'string' ? { send: act } : act;
  const isRefusal = [expect.status ?? 200].flat().every((status) => status >= 400);
  const isWrite = !/^(?:GET|HEAD|OPTIONS) /.test(send);
  const isDone = reply !== undefined && reply.status < 300 && !isRefusedCall(reply.json);
  return as !== 'me' && isWrite && isRefusal && isDone;
}

const JSON_BODY = { 'content-type': 'application/json' };
/** What the route of tools asks of a client. */
const ANY_MESSAGE = { ...JSON_BODY, accept: 'application/json, text/event-stream' };

/** Lists what a request creates, and how it is deleted. @param json of the response; undefined for none */
function listCreated(send: string, target: string, body = '', json: unknown): Omit<Created, 'token'>[] {
  if (/^POST \/v\d\/blob\//.test(send)) return [{ name: `blob ${target}`, remove: ['DELETE', target] }];
  if (send.startsWith('POST /v1/sqlite/')) {
    return [...body.matchAll(/CREATE TABLE (conformance_\w+)/g)].map(([, table]) => ({
      ...{ name: `table ${table}`, remove: ['POST', '/v1/sqlite/execute'] },
      body: JSON.stringify({ statement: `DROP TABLE IF EXISTS ${table}` }),
    }));
  }
  if (send === 'POST /v3/mcp') return listCreatedByTool(body, json);
  if (!createsVal(send) || !isObject(json) || typeof json.id !== 'string') return [];
  return [{ name: `val ${json.name}`, remove: ['DELETE', `${target}/${json.id}`] }];
}

/** Lists the val that a call of a tool creates. A case that deletes it does so by the same tool. */
function listCreatedByTool(body: string, json: unknown): Omit<Created, 'token'>[] {
  if (!/"name":"(?:create|remix)_val"/.test(body) || !isObject(json) || !isObject(json.result)) return [];
  const { structuredContent } = json.result;
  const val = isObject(structuredContent) ? structuredContent.identifier : undefined;
  if (typeof val !== 'string') return [];
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'delete_val', arguments: { val } } };
  return [{ name: `val ${val}`, remove: ['POST', '/v3/mcp'], body: JSON.stringify(call) }];
}

/** Whether a tool has refused a call. */
const isRefusedCall = (json: unknown): boolean =>
  isObject(json) && (isObject(json.error) || (isObject(json.result) && json.result.isError === true));

/** Returns the name of the val that a request creates. */
const readName = (body: unknown): string => String((isObject(body) && body.name) || 'without a name');
