import { runInThisContext } from 'node:vm';

type FetchClasses = Pick<typeof globalThis, 'Request' | 'Response'>;

/**
 * Returns the classes of the platform's fetch. Jest's jsdom lacks them, so Node's main context
 * provides them there.
 */
export const getFetchClasses = (): FetchClasses =>
  'Request' in globalThis ? globalThis : runInThisContext('globalThis');

type MakeTextResponse = (text: string | null, url: string, init: ResponseInit) => Response;

/** Extends the platform's `Response`, whose body costs most of the time of a request: this one is made when it is read as a stream. */
export function extendResponse({ Response }: FetchClasses): MakeTextResponse {
  class TextResponse extends Response {
    readonly #text: string | null;
    readonly #url: string;
    #isUsed = false;
    /** The response of the platform, once something else than text or JSON was read. */
    #whole: Response | undefined;

    constructor(text: string | null, url: string, init: ResponseInit) {
      super(null, init);
      this.#text = text;
      this.#url = url;
    }

    static {
      const members: ThisType<TextResponse> = {
        get url() {
          return this.#url;
        },
        get type() {
          return 'basic' as const;
        },
        get body() {
          return this.#text === null ? null : this.#getWhole().body;
        },
        get bodyUsed() {
          return this.#isUsed || (this.#whole?.bodyUsed ?? false);
        },
        async text() {
          if (this.#whole || this.#isUsed) return await this.#getWhole().text();
          this.#isUsed = this.#text !== null;
          return this.#text ?? '';
        },
        async json() {
          return JSON.parse(await this.text());
        },
        async arrayBuffer() {
          return await this.#getWhole().arrayBuffer();
        },
        async blob() {
          return await this.#getWhole().blob();
        },
        async bytes() {
          return new Uint8Array(await this.#getWhole().arrayBuffer());
        },
        async formData() {
          return await this.#getWhole().formData();
        },
        clone() {
          const copy = new TextResponse(this.#text, this.#url, this);
          if (this.#whole || this.#isUsed) copy.#whole = this.#getWhole().clone();
          return copy;
        },
      };
      // Defined so, since the platform declares methods as properties, which TypeScript lets no class override.
      Object.defineProperties(TextResponse.prototype, Object.getOwnPropertyDescriptors(members));
    }

    #getWhole(): Response {
      if (this.#whole) return this.#whole;
      if (this.#isUsed) throw new TypeError('Body is unusable: Body has already been read');
      this.#whole = new Response(this.#text, this);
      return this.#whole;
    }
  }
  return (text, url, init) => new TextResponse(text, url, init);
}
