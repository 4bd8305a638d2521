import { setTimeout as sleep } from 'node:timers/promises';

export interface Val {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly version: number;
}

export interface Run {
  readonly id: string;
  readonly error: unknown;
}

interface Page<T> {
  readonly data: readonly T[];
  readonly links: { readonly next?: string };
}

interface Options {
  readonly token: string;
  readonly baseUrl?: string;
  /** How to wait so many milliseconds. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/** What the API answered to a request that failed for good. */
export class ValsError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A client of the vals API. It tries a request up to three times. */
export class Vals {
  readonly #token: string;
  readonly #baseUrl: string;
  readonly #wait: (milliseconds: number) => Promise<unknown>;

  constructor({ token, baseUrl = 'https://api.val.town', wait = sleep }: Options) {
    this.#token = token;
    this.#baseUrl = baseUrl;
    this.#wait = wait;
  }

  /** Creates the val of this name, or gives it new code. */
  save(name: string, code: string): Promise<Val> {
    return this.#request('PUT', `${this.#baseUrl}/v1/vals`, { name, code });
  }

  /** Undefined where there is no such val, or where it is private and somebody else's: the API does not tell which. */
  async find(id: string): Promise<Val | undefined> {
    try {
      return await this.#request<Val>('GET', `${this.#baseUrl}/v1/vals/${id}`);
    } catch (error) {
      if (error instanceof ValsError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** The failed runs of all our vals, newest first. */
  async *failedRuns(): AsyncGenerator<Run> {
    let url: string | undefined = `${this.#baseUrl}/v1/me/runs?error=true`;
    while (url) {
      const page: Page<Run> = await this.#request('GET', url);
      yield* page.data;
      url = page.links.next;
    }
  }

  async #request<T>(method: string, url: string, body?: object): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(url, {
        method,
        headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const answer = await response.json();
      if (response.ok) return answer;
      if (attempt === 3 || (response.status !== 429 && response.status !== 503)) {
        throw new ValsError(response.status, answer.message);
      }
      await this.#wait(Number(response.headers.get('retry-after') ?? attempt) * 1000);
    }
  }
}
