import { getRecords } from '../definition/definitions.js';
import { Redactor, UNKNOWN_TOKEN } from '../lib/redactor.js';
import { inSteps, type Steps } from '../lib/steps.js';
import {
  defaultToken,
  getCredentials,
  isCaller,
  isCredential,
  listCallers,
  nameCaller,
  nameCredentialOwner,
} from '../state/callers.js';
import type { State } from '../state/state.js';
import type { StateChanges } from './changes.js';
import type { Line } from './lines.js';

/** Replaces the tokens in the lines of a session: tokens of callers by default ones, with a number for further ones; others by a placeholder. */
export class SessionRedactor extends Redactor {
  readonly #windows = new Map<string, string>();
  /** Replacements of further tokens, and their number so far by the default token of their caller. */
  readonly #further = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  readonly #state: State;

  /** @param state has the collections of the lines */
  constructor(state: State) {
    super();
    this.#state = state;
  }

  /** Replaces the tokens of the callers of a state from now on. */
  *learnCallers(state: State): Steps<void> {
    yield* inSteps(listCallers(state), (caller) => this.add(caller.token, defaultToken(nameCaller(state, caller))));
  }

  /** Replaces the further tokens of the callers of a state from now on. Each gets another token, which has its scopes. */
  *learnCredentials(state: State): Steps<void> {
    yield* inSteps(getCredentials(state) ?? [], (credential) => {
      if (!isCredential(credential) || this.#further.has(credential.token)) return;
      const own = defaultToken(nameCredentialOwner(state, credential));
      const count = (this.#counts.get(own) ?? 0) + 1;
      this.#counts.set(own, count);
      this.#further.set(credential.token, `${own}-${count}`);
      this.add(credential.token, `${own}-${count}`);
    });
  }

  /** Returns the replacement of a further token. Undefined for any other */
  findFurther(token: string): string | undefined {
    return this.#further.get(token);
  }

  /** Replaces the secrets from now on that exports of a state withhold. */
  *learnWithheld(state: State): Steps<void> {
    for (const { name, withheld = [] } of state.definitions.all) {
      if (withheld.length === 0) continue;
      yield* inSteps(getRecords(state, name), (record) => {
        for (const key of withheld) {
          const secret: unknown = Reflect.get(record, key);
          if (typeof secret === 'string' && secret !== '') this.add(secret);
        }
      });
    }
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
    const state = this.#state;
    const { name = '' } = state.definitions.callers ?? {};
    const { name: further = '' } = state.definitions.credentials ?? {};
    const { [name]: callers, [further]: credentials } = changes;
    const hide = (record: object) =>
      isCaller(record) ? { ...record, token: defaultToken(nameCaller(state, record)) } : record;
    const hideFurther = (record: object) =>
      isCredential(record) ? { ...record, token: this.#further.get(record.token) ?? UNKNOWN_TOKEN } : record;
    const others = state.definitions.all.flatMap(({ name: other, withheld = [] }) => {
      const { [other]: changed } = changes;
      if (withheld.length === 0 || !changed) return [];
      const empty = Object.fromEntries(withheld.map((key) => [key, '']));
      return [[other, { ...changed, put: (changed.put ?? []).map((record) => ({ ...record, ...empty })) }] as const];
    });
    return {
      ...changes,
      ...Object.fromEntries(others),
      ...(callers && { [name]: { ...callers, put: (callers.put ?? []).map(hide) } }),
      ...(credentials && { [further]: { ...credentials, put: (credentials.put ?? []).map(hideFurther) } }),
      ...(rateLimits && {
        rateLimits: {
          put: (rateLimits.put ?? []).map((window) => ({ ...window, token: this.#redactWindow(window.token) })),
          delete: (rateLimits.delete ?? []).map(([token]) => [this.#redactWindow(String(token))]),
        },
      }),
    };
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
