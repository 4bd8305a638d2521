// What the check asks of a server of logins, alike of the emulator and of oidc-provider.

/** The example of RFC 7636, appendix B. */
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
export const CALLBACK = 'http://127.0.0.1:5899/callback';
const FORM = 'application/x-www-form-urlencoded';

/** Sends a request. `form` and `json` are bodies; a list of pairs may have a name twice. */
export async function send(base, { method = 'POST', path, query, form, json, text, headers = {} }) {
  const search = query ? `?${new URLSearchParams(query)}` : '';
  const body = form ? new URLSearchParams(form).toString() : json === undefined ? text : JSON.stringify(json);
  const type = form ? FORM : json === undefined ? undefined : 'application/json';
  const sent = { accept: 'application/json', ...(type && { 'content-type': type }), ...headers };
  return await fetch(`${base}/oauth${path}${search}`, { method, body, redirect: 'manual', headers: sent });
}

/** Registers a client. */
export async function register(base, metadata) {
  const response = await send(base, { path: '/reg', json: metadata });
  return await response.json();
}

/** Reads the value of a key from an error page of oidc-provider. */
function readPage(text, key) {
  const [, value] = new RegExp(`<pre><strong>${key}</strong>: ([^<]*)</pre>`).exec(text) ?? [];
  return value?.replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(code)).replaceAll('&quot;', '"');
}

/** What of a response has to be equal: its status, its error and the description of the error. A login that waits for its user asks. */
export async function summarize(response) {
  const { status, headers } = response;
  const text = await response.text();
  const location = headers.get('location');
  if (location && !/\/interaction\//.test(location)) {
    const { searchParams, origin, pathname, hash } = new URL(location);
    // oidc-provider puts an error into the fragment if another response type asks for it.
    const found = searchParams.size > 0 ? searchParams : new URLSearchParams(hash.slice(1));
    const { error, error_description: description, state } = Object.fromEntries(found);
    return { status, to: origin + pathname, state, error, description };
  }
  if (location || /<form/.test(text)) return { asks: true };
  const isJson = text.startsWith('{');
  const { error, error_description: description } = isJson ? JSON.parse(text) : {};
  if (isJson) return { status, error, description };
  return { status, error: readPage(text, 'error'), description: readPage(text, 'error_description') };
}

/** Logs a user in to oidc-provider by its pages for development, and returns the callback URL. */
export async function logInByPages(base, query) {
  const cookies = new Map();
  const visit = async (address, init = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, { redirect: 'manual', ...init, headers: { cookie, ...init.headers } });
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set);
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return new URL(response.headers.get('location'), address);
  };
  let next = await visit(`${base}/oauth/auth?${new URLSearchParams(query)}`);
  for (const prompt of ['login', 'consent']) {
    const body = new URLSearchParams({ prompt, login: 'ada', password: 'any' }).toString();
    const resumed = await visit(next, { method: 'POST', body, headers: { 'content-type': FORM } });
    next = await visit(resumed);
  }
  return next;
}

/** Logs a user in to the emulator, and returns the callback URL. */
export async function logInByControl(base, query) {
  const url = `${base}/oauth/auth?${new URLSearchParams(query)}`;
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ url, user: 'ada' });
  const response = await fetch(`${base}/_emulator/login`, { method: 'POST', headers, body });
  return new URL((await response.json()).url);
}
