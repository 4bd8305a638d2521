import { CALLBACK, CHALLENGE, VERIFIER } from './servers.js';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const JSON_TYPE = { 'content-type': 'application/json' };
const PUBLIC = { client_name: 'Check', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
const NATIVE = { ...PUBLIC, application_type: 'native', grant_types: ['authorization_code', 'refresh_token'] };

/** The clients that both servers know. */
export const CLIENTS = {
  native: NATIVE,
  other: NATIVE,
  two: { ...NATIVE, redirect_uris: [CALLBACK, 'http://127.0.0.1:5899/second'] },
  web: { client_name: 'Web', redirect_uris: ['https://a.example/cb'], grant_types: ['authorization_code'] },
  machine: {
    ...{ client_name: 'Machine', redirect_uris: [], response_types: [], grant_types: ['client_credentials'] },
    token_endpoint_auth_method: 'client_secret_post',
  },
};

const login = (client) => ({
  ...{ client_id: client.client_id, response_type: 'code', redirect_uri: CALLBACK, state: 's1' },
  ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', scope: 'openid user_r' },
});
const codeForm = (client) => ({
  ...{ grant_type: 'authorization_code', client_id: client.client_id, code: 'x', redirect_uri: CALLBACK },
  code_verifier: VERIFIER,
});
const refreshForm = (client) => ({
  grant_type: 'refresh_token',
  client_id: client.client_id,
  refresh_token: 'x',
});

/** Leaves out keys whose value is undefined. */
const put = (entries, changes) =>
  Object.fromEntries(Object.entries({ ...entries, ...changes }).filter(([, value]) => value !== undefined));

/** Wrong requests by name. Each gets the clients, as a server has registered them. */
export function* listWrong() {
  const reg = (changes) => () => ({ path: '/reg', json: put(PUBLIC, changes) });
  const auth = (changes) => (clients) => ({ method: 'GET', path: '/auth', query: put(login(clients.native), changes) });
  const token = (form) => () => ({ path: '/token', form });
  const code = (changes) => (clients) => ({ path: '/token', form: put(codeForm(clients.native), changes) });
  const device = (form) => () => ({ path: '/device/auth', form });
  const basic = (text) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

  yield ['reg: empty', () => ({ path: '/reg', json: {} })];
  yield ['reg: not JSON', () => ({ path: '/reg', text: '{', headers: JSON_TYPE })];
  yield ['reg: a list', () => ({ path: '/reg', json: [] })];
  yield ['reg: a form', () => ({ path: '/reg', form: { client_name: 'x' } })];
  yield ['reg: no body', () => ({ path: '/reg' })];
  yield ['reg: web with loopback', reg({})];
  yield ['reg: https', reg({ redirect_uris: ['https://a.example/cb'] })];
  for (const uri of [
    'javascript:alert(1)',
    'http://*.example/',
    'https://*.example/cb',
    'https://a.example/#x',
    'nonsense',
    'http://evil.example/',
    'my.app:/cb',
    'data:text/html,x',
    '',
    7,
  ]) {
    yield [`reg: web ${uri}`, reg({ redirect_uris: [uri] })];
    yield [`reg: native ${uri}`, reg({ redirect_uris: [uri], application_type: 'native' })];
  }
  yield ['reg: no redirect_uris in the list', reg({ redirect_uris: [] })];
  yield ['reg: redirect_uris of a text', reg({ redirect_uris: CALLBACK })];
  yield ['reg: other application_type', reg({ application_type: 'other' })];
  yield ['reg: other method', reg({ token_endpoint_auth_method: 'other' })];
  yield ['reg: other grant type', reg({ grant_types: ['password'] })];
  yield ['reg: empty grant types', reg({ grant_types: [] })];
  yield ['reg: grant types of a text', reg({ grant_types: 'authorization_code' })];
  yield ['reg: other response type', reg({ response_types: ['token'] })];
  yield ['reg: response type without its grant', reg({ grant_types: ['client_credentials'] })];
  yield ['reg: grant without a response type', reg({ response_types: [] })];
  yield ['reg: empty name', reg({ client_name: '' })];
  yield ['reg: name of a number', reg({ client_name: 7 })];
  yield ['reg: client_uri of no URI', reg({ client_uri: 'nonsense' })];
  yield ['reg: unknown scope', reg({ scope: 'nope' })];
  yield ['reg: scope of a number', reg({ scope: 7 })];
  yield ['reg: null', reg({ client_name: null, application_type: null, grant_types: null, response_types: null })];

  yield ['auth: nothing', () => ({ method: 'GET', path: '/auth' })];
  yield ['auth: unknown client', auth({ client_id: 'nope' })];
  yield ['auth: other redirect', auth({ redirect_uri: 'http://evil.example/' })];
  yield ['auth: other path', auth({ redirect_uri: `${CALLBACK}/x` })];
  yield ['auth: other port', auth({ redirect_uri: 'http://127.0.0.1:9/callback' })];
  yield ['auth: other loopback host', auth({ redirect_uri: 'http://localhost:5899/callback' })];
  yield ['auth: javascript', auth({ redirect_uri: 'javascript:alert(1)' })];
  yield ['auth: no redirect of one', auth({ redirect_uri: undefined })];
  yield ['auth: no PKCE', auth({ code_challenge: undefined, code_challenge_method: undefined })];
  yield ['auth: plain', auth({ code_challenge_method: 'plain' })];
  yield ['auth: no method', auth({ code_challenge_method: undefined })];
  yield ['auth: method alone', auth({ code_challenge: undefined })];
  yield ['auth: short challenge', auth({ code_challenge: 'x' })];
  yield ['auth: long challenge', auth({ code_challenge: 'x'.repeat(129) })];
  yield ['auth: characters of the challenge', auth({ code_challenge: `${'x'.repeat(43)}!` })];
  yield ['auth: unknown scope', auth({ scope: 'openid nope' })];
  yield ['auth: characters of the scope', auth({ scope: 'a"b' })];
  yield ['auth: other resource', auth({ resource: 'abc' })];
  yield ['auth: resource with a fragment', auth({ resource: 'https://a.example/#x' })];
  yield ['auth: resource of others', auth({ resource: 'https://a.example/' })];
  yield ['auth: prompt none', auth({ prompt: 'none' })];
  yield ['auth: prompt none and login', auth({ prompt: 'none login' })];
  yield ['auth: other prompt', auth({ prompt: 'other' })];
  yield ['auth: other response type', auth({ response_type: 'token' })];
  yield ['auth: no response type', auth({ response_type: undefined })];
  yield ['auth: other response mode', auth({ response_mode: 'fragments' })];
  yield ['auth: a request object', auth({ request: 'x' })];
  yield ['auth: a request URI', auth({ request_uri: 'urn:x' })];
  yield ['auth: max_age of a text', auth({ max_age: 'x' })];
  yield ['auth: of a machine', ({ machine }) => ({ method: 'GET', path: '/auth', query: login(machine) })];
  yield [
    'auth: no redirect of two',
    ({ two }) => ({ method: 'GET', path: '/auth', query: put(login(two), { redirect_uri: undefined }) }),
  ];
  yield [
    'auth: https of the web',
    ({ web }) => ({ method: 'GET', path: '/auth', query: put(login(web), { redirect_uri: 'https://a.example:9/cb' }) }),
  ];

  yield ['token: empty', token({})];
  yield ['token: no client', token({ grant_type: 'authorization_code' })];
  yield ['token: no body', () => ({ path: '/token' })];
  yield ['token: unknown client', token({ grant_type: 'authorization_code', client_id: 'nope', code: 'x' })];
  yield ['token: JSON', (clients) => ({ path: '/token', json: refreshForm(clients.native) })];
  yield ['token: unknown code', code({})];
  yield ['token: no code', code({ code: undefined })];
  yield ['token: no redirect', code({ redirect_uri: undefined })];
  yield ['token: neither', code({ code: undefined, redirect_uri: undefined })];
  yield ['token: other grant', code({ grant_type: 'password' })];
  yield ['token: no grant', code({ grant_type: undefined })];
  yield ['token: secret of a public client', code({ client_secret: 'x' })];
  yield ['token: unknown refresh token', (clients) => ({ path: '/token', form: refreshForm(clients.native) })];
  yield [
    'token: no refresh token',
    (clients) => ({ path: '/token', form: put(refreshForm(clients.native), { refresh_token: undefined }) }),
  ];
  yield ['token: credentials of a public client', code({ grant_type: 'client_credentials' })];
  yield ['token: device code of another grant', code({ grant_type: DEVICE_CODE, device_code: 'x' })];
  yield ['token: unknown device code', token({ grant_type: DEVICE_CODE, client_id: 'val_town_vt', device_code: 'x' })];
  yield ['token: no device code', token({ grant_type: DEVICE_CODE, client_id: 'val_town_vt' })];
  yield ['token: code of the tool', token({ grant_type: 'authorization_code', client_id: 'val_town_vt', code: 'x' })];
  yield [
    'token: grant twice',
    (clients) => ({ path: '/token', form: [...Object.entries(codeForm(clients.native)), ['code', 'y']] }),
  ];
  yield [
    'token: two twice',
    (clients) => ({
      path: '/token',
      form: [...Object.entries(codeForm(clients.native)), ['code', 'y'], ['redirect_uri', 'y']],
    }),
  ];
  yield [
    'token: Basic of nonsense',
    () => ({ path: '/token', form: { grant_type: 'refresh_token' }, headers: { authorization: 'Basic !' } }),
  ];
  yield [
    'token: Basic without a colon',
    () => ({ path: '/token', form: { grant_type: 'refresh_token' }, headers: basic('x') }),
  ];
  yield [
    'token: Basic of an unknown client',
    () => ({ path: '/token', form: { grant_type: 'refresh_token' }, headers: basic('nope:x') }),
  ];
  yield [
    'token: Basic without a secret',
    () => ({ path: '/token', form: { grant_type: 'refresh_token' }, headers: basic('nope:') }),
  ];
  yield [
    'token: Basic of a wrong escape',
    () => ({ path: '/token', form: { grant_type: 'refresh_token' }, headers: basic('%zz:x') }),
  ];
  yield [
    'token: Bearer',
    () => ({ path: '/token', form: { grant_type: 'refresh_token' }, headers: { authorization: 'Bearer x' } }),
  ];
  yield ['token: two clients', ({ native }) => ({ path: '/token', form: codeForm(native), headers: basic('nope:x') })];
  yield [
    'token: two mechanisms',
    () => ({
      path: '/token',
      form: { grant_type: 'refresh_token', client_id: 'a', client_secret: 'x' },
      headers: basic('a:x'),
    }),
  ];
  const machine =
    (changes) =>
    ({ machine: { client_id, client_secret } }) => ({
      path: '/token',
      form: put({ grant_type: 'client_credentials', client_id, client_secret }, changes),
    });
  yield ['token: credentials', machine({})];
  yield ['token: credentials with a scope', machine({ scope: 'user_r nope' })];
  yield ['token: credentials for others', machine({ resource: 'https://a.example/' })];
  yield ['token: another secret', machine({ client_secret: 'x' })];
  yield ['token: no secret', machine({ client_secret: undefined })];
  yield [
    'token: a longer secret',
    ({ machine: { client_id, client_secret } }) => ({
      path: '/token',
      form: { grant_type: 'client_credentials', client_id, client_secret: `${client_secret}x` },
    }),
  ];
  yield [
    'token: Basic of a client that posts',
    ({ machine: { client_id, client_secret } }) => ({
      path: '/token',
      form: { grant_type: 'client_credentials' },
      headers: basic(`${client_id}:${client_secret}`),
    }),
  ];
  yield [
    'token: Basic of a client',
    ({ web: { client_id, client_secret } }) => ({
      path: '/token',
      form: { grant_type: 'authorization_code', code: 'x', redirect_uri: 'https://a.example/cb' },
      headers: basic(`${client_id}:${client_secret}`),
    }),
  ];
  yield ['token: 60 kB', code({ code: 'x'.repeat(60_000) })];

  yield ['device', device({ client_id: 'val_town_vt', scope: 'openid offline_access project_rw' })];
  yield ['device: unknown client', device({ client_id: 'nope' })];
  yield ['device: no client', device({})];
  yield ['device: another client', ({ native: { client_id } }) => ({ path: '/device/auth', form: { client_id } })];
  yield ['device: JSON', () => ({ path: '/device/auth', json: { client_id: 'val_town_vt' } })];
  yield ['device: other resource', device({ client_id: 'val_town_vt', resource: 'abc' })];
  yield ['device: characters of the scope', device({ client_id: 'val_town_vt', scope: 'a"b' })];
}

/** Makes a random request, whose parameters are right, wrong, empty, absent or twice there. */
export function makeRandom(random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const values = {
    client_id: ['nope', 'val_town_vt'],
    response_type: ['token', 'code id_token'],
    redirect_uri: ['http://127.0.0.1:9/callback', 'http://evil.example/', 'javascript:x', 'x'],
    code_challenge: ['x', VERIFIER],
    code_challenge_method: ['plain', 'S512'],
    scope: ['nope', 'user_r sqlite_rw', 'a"b', 'openid offline_access'],
    prompt: ['none', 'login', 'none login', 'x'],
    resource: ['abc', 'https://a.example/', 'https://a.example/#x'],
    response_mode: ['query', 'x'],
    grant_type: ['authorization_code', 'refresh_token', 'client_credentials', DEVICE_CODE, 'password'],
    client_secret: ['x'],
    ...{ code: ['x'], refresh_token: ['x'], device_code: ['x'], code_verifier: ['x'], state: ['s2'] },
  };
  const place = pick(['/auth', '/token', '/token', '/device/auth']);
  const own = pick(Object.keys(CLIENTS));
  const names = {
    '/auth': [
      'client_id',
      'response_type',
      'redirect_uri',
      'code_challenge',
      'code_challenge_method',
      'scope',
      'prompt',
      'resource',
      'response_mode',
      'state',
    ],
    '/token': [
      'client_id',
      'client_secret',
      'grant_type',
      'code',
      'redirect_uri',
      'code_verifier',
      'refresh_token',
      'device_code',
      'resource',
    ],
    '/device/auth': ['client_id', 'client_secret', 'scope', 'resource'],
  }[place];
  const changes = Array.from({ length: Math.floor(random() * 3) + 1 }, () => {
    const name = pick(names);
    return [name, pick(['absent', 'empty', 'twice', 'wrong', 'wrong', 'wrong']), pick(values[name])];
  });
  const name = `${place} of ${own}: ${changes.map((each) => each.join(' ')).join(', ')}`;
  return [
    name,
    (clients) => {
      const client = clients[own];
      const right =
        place === '/auth' ? login(client) : place === '/token' ? codeForm(client) : { client_id: client.client_id };
      const secret = client.client_secret && place !== '/auth' ? { client_secret: client.client_secret } : {};
      let pairs = Object.entries({ ...right, ...secret });
      for (const [key, act, value] of changes) {
        const kept = pairs.filter(([each]) => each !== key);
        if (act === 'absent') pairs = kept;
        else if (act === 'empty') pairs = [...kept, [key, '']];
        else if (act === 'wrong') pairs = [...kept, [key, value]];
        else pairs = [...pairs, [key, value]];
      }
      return place === '/auth' ? { method: 'GET', path: place, query: pairs } : { path: place, form: pairs };
    },
  ];
}
