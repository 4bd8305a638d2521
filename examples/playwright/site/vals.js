/** What the API answered to a request that failed for good. */
export class ValsError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** A client of the vals API. It tries a request up to three times. */
export class Vals {
  #token;
  #baseUrl;
  #onWait;

  /** @param onWait told how many seconds pass before a request is tried again */
  constructor({ token, baseUrl, onWait }) {
    this.#token = token;
    this.#baseUrl = baseUrl;
    this.#onWait = onWait;
  }

  /** Creates the val of this name, or gives it new code. */
  save(name, code) {
    return this.#request('PUT', `${this.#baseUrl}/v1/vals`, { name, code });
  }

  /** Undefined where there is no such val, or where it is private and somebody else's: the API does not tell which. */
  async find(id) {
    try {
      return await this.#request('GET', `${this.#baseUrl}/v1/vals/${id}`);
    } catch (error) {
      if (error.status === 404) return undefined;
      throw error;
    }
  }

  /** A page of the vals that we like, and where the next one is. */
  liked(url = `${this.#baseUrl}/v1/me/likes`) {
    return this.#request('GET', url);
  }

  async #request(method, url, body) {
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
      const seconds = Number(response.headers.get('retry-after') ?? attempt);
      this.#onWait(seconds);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  }
}
