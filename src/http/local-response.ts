/**
 * A Response whose text is at hand. The platform's own puts it into a stream and takes it out again, which costs more
 * than all the rest of an in-process request; here that is done only for who asks for more than the text. Headers are
 * made for who asks for them.
 */
export class LocalResponse extends Response {
  readonly #text: string;
  readonly #url: string;
  #headers: Headers | Readonly<Record<string, string>>;
  /** Whether the text was handed out without a stream. */
  #taken = false;
  #streamed: Response | undefined;

  /** @param headers belong to the response from here on */
  constructor(text: string, url: string, status: number, headers: Headers | Readonly<Record<string, string>>) {
    super(null, { status });
    this.#text = text;
    this.#url = url;
    this.#headers = headers;
  }

  get #madeHeaders(): Headers {
    if (!(this.#headers instanceof Headers)) this.#headers = new Headers(this.#headers);
    return this.#headers;
  }

  get #used(): boolean {
    return this.#taken || (this.#streamed?.bodyUsed ?? false);
  }

  /** The platform's own Response, which is in the same state. */
  get #stream(): Response {
    if (!this.#streamed) {
      const { status, headers } = this;
      this.#streamed = new Response(this.#text, { status, headers });
      // What was handed out cannot be read again.
      if (this.#taken) void this.#streamed.text();
    }
    return this.#streamed;
  }

  async #take(): Promise<string> {
    if (this.#used || this.#streamed) return this.#stream.text();
    this.#taken = true;
    return this.#text;
  }

  #copy(): Response {
    if (this.#used) return this.#stream.clone();
    return new LocalResponse(this.#text, this.#url, this.status, new Headers(this.headers));
  }

  // The platform's types have all of these as properties, which a class may not override by accessors and methods.
  static {
    const getter = (get: (self: LocalResponse) => unknown): PropertyDescriptor => ({
      configurable: true,
      get(this: LocalResponse) {
        return get(this);
      },
    });
    const method = (call: (self: LocalResponse) => unknown): PropertyDescriptor => ({
      configurable: true,
      writable: true,
      value(this: LocalResponse) {
        return call(this);
      },
    });
    // biome-ignore lint/complexity/noThisInStatic: TypeScript writes another name for the class, which has no value here yet
    Object.defineProperties(this.prototype, {
      url: getter((self) => self.#url),
      headers: getter((self) => self.#madeHeaders),
      body: getter((self) => self.#stream.body),
      bodyUsed: getter((self) => self.#used),
      text: method((self) => self.#take()),
      json: method(async (self) => JSON.parse(await self.#take())),
      arrayBuffer: method((self) => self.#stream.arrayBuffer()),
      bytes: method(async (self) => new Uint8Array(await self.#stream.arrayBuffer())),
      blob: method((self) => self.#stream.blob()),
      formData: method((self) => self.#stream.formData()),
      clone: method((self) => self.#copy()),
    });
  }
}
