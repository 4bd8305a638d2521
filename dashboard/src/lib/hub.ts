/** Milliseconds until a lost connection is tried again. */
const RETRY_MS = 1_000;

export interface LiveEvent {
  readonly name: string;
  readonly data: unknown;
}

/** What a page gets. */
export type Message<E = LiveEvent> =
  | { readonly kind: 'open' }
  /** @param refusal why the emulator refuses; undefined if none responds */
  | { readonly kind: 'lost'; readonly refusal?: { readonly status: number; readonly message: string } }
  | { readonly kind: 'events'; readonly events: readonly E[] };

/**
 * Reads the events of all pages by one connection: a browser opens six to a host, for all of its tabs. It runs in a worker
 * that they share, or in a page of a browser that has none.
 */
export class Hub {
  readonly #url: string;
  /** The pages, each with the name of its sandbox. */
  readonly #pages = new Map<MessagePort, string>();
  /** Pages that have read nothing yet, and read everything once they are connected. */
  readonly #new = new Set<MessagePort>();
  /** Ids of the last events, by sandbox. */
  readonly #last = new Map<string, string>();
  #abort = new AbortController();

  /** @param url of the events */
  constructor(url: string) {
    this.#url = url;
  }

  /** Adds a page, which says its sandbox when it comes, and null when it goes. */
  add(port: MessagePort): void {
    port.onmessage = ({ data }: MessageEvent<string | null>) => {
      if (data === null) {
        this.#pages.delete(port);
        this.#new.delete(port);
      } else {
        this.#pages.set(port, data);
        this.#new.add(port);
      }
      void this.#connect();
    };
  }

  /** Reads until the connection ends, and then again. A change of the pages begins another one. */
  async #connect(): Promise<void> {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const names = new Set(this.#pages.values());
    for (const name of this.#last.keys()) if (!names.has(name)) this.#last.delete(name);
    if (names.size === 0) return;
    const query = new URLSearchParams([...names].map((name) => ['sandbox', name]));
    const headers = { 'x-emulator-page': '1', 'last-event-id': [...this.#last.values()].join(',') };
    try {
      const response = await fetch(`${this.#url}?${query}`, { headers, signal, cache: 'no-store' });
      if (response.ok) await this.#read(response);
      const { status } = response;
      this.#send(response.ok ? { kind: 'lost' } : { kind: 'lost', refusal: { status, ...(await response.json()) } });
    } catch {
      if (signal.aborted) return;
      this.#send({ kind: 'lost' });
    }
    setTimeout(() => signal.aborted || void this.#connect(), RETRY_MS);
  }

  async #read({ body }: Response): Promise<void> {
    this.#send({ kind: 'open' });
    // The stream continues after the events that the other pages have.
    for (const [port, sandbox] of this.#pages) {
      if (this.#new.delete(port) && this.#last.has(sandbox)) post(port, [{ name: 'reset', data: {} }]);
    }
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return;
      const blocks = (text + value).split('\n\n');
      text = blocks.pop() ?? '';
      this.#pass(blocks);
    }
  }

  /** Passes events on to the pages of their sandboxes. */
  #pass(blocks: readonly string[]): void {
    const bySandbox = new Map<string, LiveEvent[]>();
    for (const block of blocks) {
      const [, name = '', id, json = ''] = /^event: (.*)\n(?:id: (.*)\n)?data: (.*)$/.exec(block) ?? [];
      if (name === '') continue;
      const { sandbox, data }: { sandbox: string; data: unknown } = JSON.parse(json);
      if (id !== undefined) this.#last.set(sandbox, id);
      bySandbox.set(sandbox, [...(bySandbox.get(sandbox) ?? []), { name, data }]);
    }
    for (const [port, sandbox] of this.#pages) {
      const events = bySandbox.get(sandbox);
      if (events) post(port, events);
    }
  }

  #send(message: Message): void {
    for (const port of this.#pages.keys()) port.postMessage(message);
  }
}

const post = (port: MessagePort, events: readonly LiveEvent[]) =>
  port.postMessage({ kind: 'events', events } satisfies Message);
