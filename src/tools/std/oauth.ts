import { findPlace, type Place, readJson, readProblem, readVariable, send } from './place.js';

/** A handler of HTTP requests, such as `app.fetch` of Hono. */
export type Handler = (request: Request) => Response | Promise<Response>;

export interface OAuthOptions {
  /** Default: `openid`, `offline_access`, `profile`, `user_rw` */
  readonly scopes?: readonly string[] | undefined;
  /** What the page of the login calls the val. Default: its host */
  readonly clientName?: string | undefined;
}

/** Who has logged in, and the tokens to act as that user. */
export interface SessionData {
  readonly user: {
    readonly id: string;
    readonly username: string | null;
    readonly email: string | null;
    readonly bio: string | null;
    readonly tier: 'free' | 'pro' | null;
    readonly type: 'user' | 'org';
    readonly url: string;
    readonly links: { readonly self: string; readonly profileImageUrl: string | null };
  };
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly idToken?: string;
  /** When the access token expires, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What the state of a login remembers until its callback. */
interface Login {
  readonly clientId: string;
  readonly verifier: string;
  /** The path to which it leads. */
  readonly returnTo: string;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
  readonly expires_in: number;
}

/** What the API says of the user of a token. */
interface Profile {
  readonly id: string;
  readonly username: string | null;
  readonly email?: string | null;
  readonly bio: string | null;
  readonly tier?: 'free' | 'pro' | null;
  readonly type?: 'user' | 'org';
  readonly url: string;
  readonly profileImageUrl: string | null;
  readonly links: { readonly self: string };
}

const SCOPES = ['openid', 'offline_access', 'profile', 'user_rw'];
const COOKIE = 'val_oauth_session';
const MONTH = 30 * 24 * 60 * 60;

/**
 * Wraps the handler of a val with `/auth/login`, `/auth/callback` and `/auth/logout`, by which users of the emulator log in. The
 * session is an encrypted cookie. A test logs in without a page, by `emulator.login`.
 */
export function oauthMiddleware(handler: Handler): (request: Request) => Promise<Response>;
export function oauthMiddleware(options: OAuthOptions, handler: Handler): (request: Request) => Promise<Response>;
export function oauthMiddleware(
  first: OAuthOptions | Handler,
  second?: Handler,
): (request: Request) => Promise<Response> {
  const handler = typeof first === 'function' ? first : second;
  const options = typeof first === 'function' ? {} : first;
  if (typeof handler !== 'function') throw new TypeError('std/oauth: expected a handler, such as app.fetch.');
  return async (request) => {
    const { pathname } = new URL(request.url);
    const route = `${request.method} ${pathname}`;
    if (route === 'GET /auth/login') return await startLogin(request, options);
    if (route === 'GET /auth/callback') return await endLogin(request);
    if (route === 'POST /auth/logout') return logOut(request);
    return await handler(request);
  };
}

/** Returns who has logged in, by the cookie of a request. Null without a session, or with one of another key. */
export async function getOAuthUserData(request: Request): Promise<SessionData | null> {
  const cookies = request.headers.get('cookie') ?? '';
  const [, sealed] = new RegExp(`(?:^|; *)${COOKIE}=([^;]*)`).exec(cookies) ?? [];
  return sealed === undefined ? null : ((await open<SessionData>('session', sealed)) ?? null);
}

const findEmulator = (): Place => findPlace('std/oauth', import.meta.url);

/** Leads to another address. @param cookie sets a cookie */
const redirect = (location: string, cookie?: string): Response =>
  new Response(null, { status: 302, headers: { location, ...(cookie && { 'set-cookie': cookie }) } });

const refuse = (status: number, message: string): Response => new Response(message, { status });

async function startLogin(request: Request, { scopes = SCOPES, clientName }: OAuthOptions): Promise<Response> {
  const { url } = findEmulator();
  const { origin, host, searchParams } = new URL(request.url);
  // A path of the val: another host would get its users.
  const [returnTo = '/'] = /^\/(?![/\\]).*/s.exec(searchParams.get('returnTo') ?? '') ?? [];
  const redirect_uri = `${origin}/auth/callback`;
  const { client_id: clientId } = await post<{ readonly client_id: string }>(
    `${url}/oauth/reg`,
    'application/json',
    JSON.stringify({
      client_name: clientName ?? host,
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    }),
  );
  const verifier = toBase64(crypto.getRandomValues(new Uint8Array(32)));
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri,
    scope: scopes.join(' '),
    code_challenge: toBase64(await digest(verifier)),
    code_challenge_method: 'S256',
    state: await seal('login', { clientId, verifier, returnTo } satisfies Login),
  });
  return redirect(`${url}/oauth/auth?${query}`);
}

async function endLogin(request: Request): Promise<Response> {
  const { url } = findEmulator();
  const { origin, searchParams, protocol } = new URL(request.url);
  const login = await open<Login>('login', searchParams.get('state') ?? '');
  if (!login) return refuse(400, 'Login failed: the state is not of this val. Begin at /auth/login.');
  const error = searchParams.get('error');
  if (error !== null) return refuse(400, `Login failed: ${searchParams.get('error_description') ?? error}`);
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: searchParams.get('code') ?? '',
    redirect_uri: `${origin}/auth/callback`,
    client_id: login.clientId,
    code_verifier: login.verifier,
  });
  const tokens = await post<Tokens>(`${url}/oauth/token`, 'application/x-www-form-urlencoded', form.toString());
  const session = await makeSession(url, tokens);
  return redirect(login.returnTo, makeCookie(await seal('session', session), MONTH, protocol));
}

function logOut(request: Request): Response {
  const { origin, protocol } = new URL(request.url);
  const from = request.headers.get('origin');
  if (from !== null && from !== origin) return refuse(403, `A page of ${from} cannot log users out.`);
  return redirect('/', makeCookie('', 0, protocol));
}

const makeCookie = (value: string, seconds: number, protocol: string): string =>
  `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${protocol === 'https:' ? '; Secure' : ''}`;

async function makeSession(url: string, tokens: Tokens): Promise<SessionData> {
  const { access_token: accessToken, refresh_token: refreshToken, id_token: idToken, expires_in } = tokens;
  const response = await send(`${url}/v1/me`, { headers: { authorization: `Bearer ${accessToken}` } });
  if (!response.ok) throw new Error(`std/oauth: ${(await readProblem(response)).message}`);
  const {
    profileImageUrl,
    links,
    id,
    username,
    email = null,
    bio,
    tier = null,
    type = 'user',
    url: page,
  } = await readJson<Profile>(response);
  return {
    user: { id, username, email, bio, tier, type, url: page, links: { self: links.self, profileImageUrl } },
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(idToken !== undefined && { idToken }),
    expiresAt: Date.now() + expires_in * 1_000,
  };
}

/** @throws Error with the reason of a refusal */
async function post<T>(url: string, type: string, body: string): Promise<T> {
  const response = await send(url, { method: 'POST', headers: { 'content-type': type }, body });
  if (response.ok) return await readJson(response);
  const { message } = await readProblem(response);
  throw new Error(`std/oauth: POST ${new URL(url).pathname}: ${message}`);
}

const toBytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(new TextEncoder().encode(text));

const digest = async (text: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', toBytes(text)));

/** As addresses and cookies have it. */
const toBase64 = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));

/** Derives the key of a kind of text. All processes of a val have the same token, so the same key. */
async function makeKey(kind: string) {
  const secret = await digest(`std/oauth ${kind} ${readVariable('valtown') ?? readVariable('VAL_TOWN_API_KEY') ?? ''}`);
  return await crypto.subtle.importKey('raw', secret, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

/** Encrypts a value. @param kind of value, so that none is taken for another one */
async function seal(kind: string, value: object): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const data = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv },
    await makeKey(kind),
    toBytes(JSON.stringify(value)),
  );
  return `${toBase64(iv)}.${toBase64(new Uint8Array(data))}`;
}

/** Decrypts a value of the same kind. Undefined for another text. */
async function open<T>(kind: string, sealed: string): Promise<T | undefined> {
  const [iv = '', data = ''] = sealed.split('.');
  try {
    const key = await makeKey(kind);
    const bytes = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: fromBase64(iv) }, key, fromBase64(data));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
