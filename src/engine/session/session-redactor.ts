import type { AnyDefinition } from '../definition/define.js';
import { getRecords } from '../definition/definitions.js';
import { Redactor, UNKNOWN_TOKEN } from '../lib/redactor.js';
import { inSteps, type Steps } from '../lib/steps.js';
import type { StateChanges } from '../persistence/changes.js';
import type { Line } from '../persistence/lines.js';
import { defaultToken, isCaller, nameCaller, nameCredentialOwner } from '../state/callers.js';
import type { State } from '../state/state.js';
import type { RecordSet } from '../store/collection.js';

/** Lists the keys of records whose values are secret: the tokens of callers are, also where records show them. */
export const listSecretKeys = ({ secrets = [], callers, credentials }: AnyDefinition): string[] => [
  ...new Set([...secrets, ...(callers || credentials ? ['token'] : [])]),
];

/**
 * Replaces the secrets of records in the lines of a session: tokens of callers by default ones, with a number for further ones, and
 * others by a placeholder.
 */
export class SessionRedactor extends Redactor {
  readonly #windows = new Map<string, string>();
  /** All secrets of records, and the names of further tokens: none of them replaces another secret. */
  readonly #taken = new Set<string>();
  readonly #state: State;

  /** @param state has the collections of the lines */
  constructor(state: State) {
    super();
    this.#state = state;
  }

  /** Replaces the secrets of the records of states from now on. The first ones get the first numbers. */
  *learnRecords(states: Iterable<State>): Steps<void> {
    const found: (() => void)[] = [];
    // Many states have the same collections.
    const read = new Set<RecordSet>();
    for (const state of states) {
      for (const each of state.definitions.all) {
        const keys = listSecretKeys(each);
        const records = getRecords(state, each.name);
        if (keys.length === 0 || read.has(records)) continue;
        read.add(records);
        yield* inSteps(records, (record) => {
          for (const key of keys) {
            const secret = String(Reflect.get(record, key) ?? '');
            if (secret === '' || this.#taken.has(secret)) continue;
            this.#taken.add(secret);
            found.push(() => this.add(secret, this.#findToken(state, each, record, secret)));
          }
        });
      }
    }
    for (const add of found) add();
  }

  /** Returns the token that the holder of a record gets: a further one has the same scopes. Undefined for other records */
  #findToken(
    state: State,
    { callers, credentials }: AnyDefinition,
    record: object,
    secret: string,
  ): string | undefined {
    if (callers && isCaller(record)) return defaultToken(nameCaller(state, record));
    if (!credentials) return undefined;
    const own = defaultToken(nameCredentialOwner(state, record));
    if (secret.startsWith(`${own}-`) && /^\d+$/.test(secret.slice(own.length + 1))) return secret;
    let token = secret;
    for (let count = 1; this.#taken.has(token); count++) token = `${own}-${count}`;
    this.#taken.add(token);
    return token;
  }

  /** Formats a line as JSON without tokens. Short ones are replaced in requests only. */
  format(line: Line): string {
    if (line.type === 'request') return this.formatRequest(line);
    return this.#format('changes' in line ? { ...line, changes: this.#redactRecords(line.changes) } : line, false);
  }

  /** Formats a request as JSON without tokens. */
  formatRequest(request: object): string {
    return this.#format(request, true);
  }

  #format(value: object, short: boolean): string {
    const replace = this.replacer(short);
    if (!replace) return JSON.stringify(value);
    return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? replace(part) : part));
  }

  #redactRecords({ rateLimits, ...changes }: StateChanges): StateChanges {
    const records = this.#state.definitions.all.flatMap((definition) => {
      const keys = listSecretKeys(definition);
      const { [definition.name]: changed } = changes;
      if (keys.length === 0 || !changed) return [];
      const put = (changed.put ?? []).map((record) => {
        const hidden = keys.flatMap((key) => {
          const secret: unknown = Reflect.get(record, key);
          return secret === undefined ? [] : [[key, this.#replace(definition, record, key, String(secret))] as const];
        });
        return { ...record, ...Object.fromEntries(hidden) };
      });
      return [[definition.name, { ...changed, put }] as const];
    });
    return {
      ...changes,
      ...Object.fromEntries(records),
      ...(rateLimits && {
        rateLimits: {
          put: (rateLimits.put ?? []).map((window) => ({ ...window, token: this.#redactWindow(window.token) })),
          delete: (rateLimits.delete ?? []).map(([token]) => [this.#redactWindow(String(token))]),
        },
      }),
    };
  }

  /** Replaces a secret in the record itself, which keeps its form: a token, or a text that is empty. */
  #replace({ callers, withheld = [] }: AnyDefinition, record: object, key: string, secret: string): string {
    if (callers && isCaller(record)) return defaultToken(nameCaller(this.#state, record));
    return withheld.includes(key) ? '' : (this.find(secret) ?? UNKNOWN_TOKEN);
  }

  /** Each token has a separate window in the rate limit, also an unknown one. */
  #redactWindow(token: string): string {
    const known = this.find(token);
    if (token === '' || (known !== undefined && known !== UNKNOWN_TOKEN)) return known ?? token;
    const name = this.#windows.get(token) ?? `${UNKNOWN_TOKEN}-${this.#windows.size + 1}`;
    this.#windows.set(token, name);
    return name;
  }
}
