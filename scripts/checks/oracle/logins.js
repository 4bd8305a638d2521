import { CALLBACK, CHALLENGE, send, summarize, VERIFIER } from './servers.js';

const SCOPE = 'openid offline_access user_r sqlite_rw';

/** Logs in, and returns the form that exchanges the code. */
async function makeForm({ base, clients, logIn }, changes = {}) {
  const clientId = clients.native.client_id;
  const back = await logIn(base, {
    ...{ client_id: clientId, response_type: 'code', redirect_uri: CALLBACK, state: 's1', scope: SCOPE },
    ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', prompt: 'consent' },
  });
  const code = back.searchParams.get('code');
  const form = { client_id: clientId, code, redirect_uri: CALLBACK, code_verifier: VERIFIER, ...changes };
  return { grant_type: 'authorization_code', ...form };
}

const exchange = ({ base }, form) => send(base, { path: '/token', form });

const withoutUndefined = (form) => Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined));

async function logIn(server) {
  const response = await exchange(server, await makeForm(server));
  return await response.json();
}

const refresh = (server, token, changes = {}) =>
  exchange(server, {
    ...{ grant_type: 'refresh_token', client_id: server.clients.native.client_id, refresh_token: token, ...changes },
  });

/** Logins whose code, refresh token or device code is used, by name. Each gets a server, and returns what it said. */
export function* listLogins() {
  const CODES = {
    'the right one': {},
    'another verifier': { code_verifier: 'a'.repeat(43) },
    'no verifier': { code_verifier: undefined },
    'an empty verifier': { code_verifier: '' },
    'a short verifier': { code_verifier: 'x' },
    'a long verifier': { code_verifier: 'x'.repeat(129) },
    'characters of a verifier': { code_verifier: `${'x'.repeat(43)}!` },
    'another redirect': { redirect_uri: 'http://127.0.0.1:9/callback' },
    'no redirect': { redirect_uri: undefined },
    'a resource of others': { resource: 'https://a.example/' },
    'a resource that is none': { resource: 'abc' },
  };
  for (const [name, changes] of Object.entries(CODES)) {
    yield [
      `code with ${name}`,
      async (server) => summarize(await exchange(server, withoutUndefined(await makeForm(server, changes)))),
    ];
  }
  yield [
    'code of another client',
    async (server) =>
      summarize(await exchange(server, await makeForm(server, { client_id: server.clients.other.client_id }))),
  ];
  yield [
    'keys of the tokens',
    async (server) => {
      const { scope, ...tokens } = await logIn(server);
      return { keys: Object.keys(tokens).sort(), scope: scope.split(' ').sort(), expires: tokens.expires_in };
    },
  ];
  yield [
    'code a second time, then its refresh token',
    async (server) => {
      const form = await makeForm(server);
      const { refresh_token: token } = await (await exchange(server, form)).json();
      const again = await summarize(await exchange(server, form));
      return [again, await summarize(await refresh(server, token))];
    },
  ];
  yield [
    'code after a wrong verifier',
    async (server) => {
      const form = await makeForm(server);
      await exchange(server, { ...form, code_verifier: 'a'.repeat(43) });
      return summarize(await exchange(server, form));
    },
  ];
  yield [
    'refresh token a second time, then the next',
    async (server) => {
      const { refresh_token: token } = await logIn(server);
      const { refresh_token: next } = await (await refresh(server, token)).json();
      return [await summarize(await refresh(server, token)), await summarize(await refresh(server, next))];
    },
  ];
  const REFRESHES = {
    'fewer scopes': { scope: 'user_r' },
    'one more scope': { scope: 'user_r blob_rw' },
    'two more scopes': { scope: 'blob_rw email_rw' },
    'an unknown scope': { scope: 'nope' },
    'a resource of others': { resource: 'https://a.example/' },
  };
  for (const [name, changes] of Object.entries(REFRESHES)) {
    yield [
      `refresh token with ${name}`,
      async (server) => {
        const response = await refresh(server, (await logIn(server)).refresh_token, changes);
        const { scope } = await response.clone().json();
        return [await summarize(response), response.status === 200 && scope.split(' ').sort()];
      },
    ];
  }
  yield [
    'refresh token of another client',
    async (server) => {
      const { refresh_token: token } = await logIn(server);
      return summarize(await refresh(server, token, { client_id: server.clients.other.client_id }));
    },
  ];
  yield [
    'device code of a device that waits, twice',
    async (server) => {
      const form = { client_id: 'val_town_vt', scope: SCOPE };
      const {
        device_code: code,
        user_code: _,
        ...rest
      } = await (await send(server.base, { path: '/device/auth', form })).json();
      const poll = () =>
        exchange(server, {
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          client_id: 'val_town_vt',
          device_code: code,
        });
      return [Object.keys(rest).sort(), await summarize(await poll()), await summarize(await poll())];
    },
  ];
}
