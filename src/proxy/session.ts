import { DROPPED, type JournalEntry, MAX_BODY_LENGTH } from '../control/journal.js';
import { formatSession } from '../control/session.js';
import { parseJsonIfValid } from '../lib/json.js';
import { isObject } from '../lib/objects.js';
import type { Secrets } from '../remote/secrets.js';
import { decodeBody, type Exchange, findHeader, type Message } from './exchange.js';
import { leadLinks } from './links.js';
import { Recording } from './recording.js';
import type { Shadow } from './shadow.js';

/** In place of the base of the upstream in links, which a replay compares without their host. */
const BASE = 'http://localhost';

type Entry = Omit<JournalEntry, 'headers'> & { readonly headers: string[]; user: string | null };

/** A recording of HTTP traffic as a session: the fixtures of the proxy, and the requests with the responses of the upstream. */
export class SessionRecording extends Recording<Entry> {
  readonly #upstream: string;
  readonly #shadow: Shadow;
  /** What the fixtures have, without the requests that were compared since. */
  readonly #begin;
  readonly #secrets: Secrets;
  #lookups: Promise<unknown> = Promise.resolve();

  constructor(upstream: string, shadow: Shadow, secrets: Secrets) {
    super();
    this.#upstream = upstream;
    this.#shadow = shadow;
    const { seed, store } = shadow.sandbox;
    this.#begin = { seed, store: { contents: store.contents } };
    this.#secrets = secrets;
  }

  add(exchange: Exchange): void {
    const { startedAt, method, target, request, response, wait, receive } = exchange;
    const entry: Entry = {
      ...{ id: `r${this.count + 1}`, at: startedAt.getTime(), duration: wait + receive },
      route: this.#shadow.findRoute(exchange)?.name ?? null,
      ...{ method, path: target, user: null, headers: request.headers.flat(), requestBody: this.#readBody(request) },
      ...{ status: response.status, responseBody: this.#readBody(response, (text) => this.#asInFixtures(text)) },
      ...{ fault: null, commit: null, error: null },
    };
    if (!this.keep(entry)) return;
    const lookup = this.#shadow.findCaller(exchange).then(
      ({ user }) => {
        entry.user = user;
      },
      // Without its user the request is one with an unknown token.
      () => {},
    );
    this.#lookups = this.#lookups.then(() => lookup);
  }

  override async settle(): Promise<void> {
    await this.#lookups;
  }

  format(): string[] {
    const entries = this.entries.map((entry) => this.#clean(entry));
    return [[...formatSession({ ...this.#begin, journal: { entries } }, Date.now())].join('')];
  }

  /** Leads links, and gives an account the address and the picture of the fixtures: `pull` may have replaced them. */
  #asInFixtures(body: string): string {
    const text = leadLinks(body, this.#upstream, BASE);
    const json = parseJsonIfValid(text);
    if (!isObject(json) || typeof json.id !== 'string') return text;
    const user = this.#begin.store.contents.state.users.get(json.id.toLowerCase());
    if (user && typeof json.email === 'string') this.#secrets.addresses.set(json.email, user.email);
    if (!user || typeof json.profileImageUrl !== 'string') return text;
    return text.replaceAll(JSON.stringify(json.profileImageUrl), () => JSON.stringify(user.profileImageUrl));
  }

  /** Returns a body as a journal keeps it: undefined for none, and a remark for one that is too long. */
  #readBody(message: Message, change = (text: string): string => text): string | undefined {
    if (message.size === 0) return undefined;
    const bytes = decodeBody(message);
    if (!bytes || bytes.length >= MAX_BODY_LENGTH) return DROPPED;
    return this.#secrets.redactBody(change(bytes.toString('utf8')), findHeader(message.headers, 'content-type'));
  }

  /** Replaces what later requests have taught. */
  #clean({ headers, path, requestBody, responseBody, ...others }: Entry): JournalEntry {
    const secrets = this.#secrets;
    const clean = (text: string | undefined) => text && secrets.redactKnown(text);
    return {
      ...others,
      path: secrets.redact(path),
      // formatSession removes these two headers, and what they contain from all other texts.
      headers: headers.map((text, i) =>
        i % 2 === 0 || isLeftOut(headers[i - 1]) ? text : secrets.redactHeader(headers[i - 1] ?? '', text),
      ),
      requestBody: clean(requestBody),
      responseBody: clean(responseBody),
    };
  }
}

const isLeftOut = (header = ''): boolean => /^(?:authorization|cookie)$/i.test(header);
