import { randomBytes } from 'node:crypto';
import type { HttpRequest } from '../api/http-request.js';

/** Sign-ins that are remembered; the oldest is forgotten. */
const MAX_SIGN_INS = 1_000;

/** The browsers that have signed in with the control token. Each has a random id in a cookie, and all end with the process. */
export class SignIns {
  readonly #name: string;
  readonly #ids = new Set<string>();

  /** @param instance by which the cookies of two emulators on one host differ: cookies ignore ports */
  constructor(instance: string) {
    this.#name = `emulator-${instance}`;
  }

  has(request: Pick<HttpRequest, 'header'>): boolean {
    return this.#ids.has(this.#read(request));
  }

  /** Adds a browser. Returns the cookie that it gets. */
  add(request: Pick<HttpRequest, 'origin'>): string {
    const id = randomBytes(32).toString('base64url');
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > MAX_SIGN_INS && oldest !== undefined) this.#ids.delete(oldest);
    return this.#format(request, id);
  }

  /** Removes a browser. Returns what removes its cookie. */
  delete(request: Pick<HttpRequest, 'header' | 'origin'>): string {
    this.#ids.delete(this.#read(request));
    return `${this.#format(request, '')}; Max-Age=0`;
  }

  #read({ header }: Pick<HttpRequest, 'header'>): string {
    const start = `${this.#name}=`;
    const cookies = (header('cookie') ?? '').split(/; */);
    return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length) ?? '';
  }

  #format({ origin }: Pick<HttpRequest, 'origin'>, id: string): string {
    const { protocol, pathname } = new URL(origin);
    const secure = protocol === 'https:' ? '; Secure' : '';
    return `${this.#name}=${id}; Path=${pathname.replaceAll(';', '%3B')}; HttpOnly; SameSite=Strict${secure}`;
  }
}
