import assert from 'node:assert/strict';

/** What the standard library of vals does, whatever runs it. Each case has an empty sandbox of ada. */
export const cases = {
  'sqlite: rows are lists': async ({ sqlite }) => {
    await sqlite.execute('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)');
    const inserted = await sqlite.execute({ sql: 'INSERT INTO notes (text) VALUES (?), (?)', args: ['a', 'b'] });
    assert.deepEqual([inserted.rowsAffected, inserted.lastInsertRowid], [2, 2]);
    const { columns, columnTypes, rows } = await sqlite.execute('SELECT * FROM notes');
    assert.deepEqual(
      { columns, columnTypes, rows },
      {
        columns: ['id', 'text'],
        columnTypes: ['INTEGER', 'TEXT'],
        rows: [
          [1, 'a'],
          [2, 'b'],
        ],
      },
    );
  },
  'sqlite: arguments by position, by name, and as a second argument': async ({ sqlite }) => {
    const by = async (...args) => (await sqlite.execute(...args)).rows[0];
    assert.deepEqual(await by({ sql: 'SELECT ?, ?', args: ['a', null] }), ['a', null]);
    assert.deepEqual(await by({ sql: 'SELECT :a, $b', args: { a: 'a', $b: true } }), ['a', 1]);
    assert.deepEqual(await by('SELECT ?', ['a']), ['a']);
    assert.deepEqual(await by({ sql: 'SELECT 1' }), [1]);
  },
  'sqlite: a bigint is an integer, by position and by name': async ({ sqlite, main }) => {
    const args = [5n, 9007199254740993n, -(2n ** 63n)];
    const { rows } = await sqlite.execute('SELECT ?1 / 2, typeof(?1), ?2, typeof(?2), ?3, typeof(?3)', args);
    assert.deepEqual(rows, [[2, 'integer', '9007199254740993', 'integer', '-9223372036854775808', 'integer']]);
    assert.equal((await main.execute({ sql: 'SELECT typeof(:a) AS a', args: { a: 1n } })).rows[0].a, 'integer');
    await assert.rejects(sqlite.execute('SELECT ?', [2n ** 63n]), {
      name: 'RangeError',
      message: 'std/sqlite: found the argument 9223372036854775808n; expected an integer of 64 bits.',
    });
  },
  'sqlite: bytes, dates and large integers are arguments': async ({ sqlite }) => {
    const { rows } = await sqlite.execute('SELECT ?, typeof(?), ?, ?', [
      new Uint8Array([1, 2]),
      new Uint8Array([3]),
      new Date(5),
      7n,
    ]);
    assert.deepEqual(rows, [[[1, 2], 'blob', 5, 7]]);
    await assert.rejects(sqlite.execute('SELECT ?', [undefined]), { name: 'TypeError', message: /undefined/ });
  },
  'sqlite: an error has its name and its code': async ({ sqlite, LibsqlError }) => {
    await sqlite.execute('CREATE TABLE names (name TEXT UNIQUE)');
    await sqlite.execute("INSERT INTO names VALUES ('a')");
    const error = await sqlite.execute("INSERT INTO names VALUES ('a')").catch((caught) => caught);
    assert.ok(error instanceof LibsqlError);
    assert.equal(error.name, 'LibsqlError');
    assert.match(error.code, /^SQLITE_CONSTRAINT/);
    assert.equal(error.message.indexOf(error.code), 0);
    assert.equal(error.message.lastIndexOf(`${error.code}:`), 0);
  },
  'sqlite: an error points to the line that has sent the statement': async ({ sqlite }) => {
    async function thisLine() {
      return sqlite.execute('SELECT * FROM missing');
    }
    const error = await thisLine().catch((caught) => caught);
    assert.match(error.stack.split('\n')[1], /thisLine.*std-cases/);
  },
  'sqlite: a batch is one transaction': async ({ sqlite }) => {
    const results = await sqlite.batch(['CREATE TABLE t (a)', { sql: 'INSERT INTO t VALUES (?)', args: [1] }]);
    assert.deepEqual(
      results.map(({ rowsAffected }) => rowsAffected),
      [0, 1],
    );
    await assert.rejects(sqlite.batch(['INSERT INTO t VALUES (2)', 'SELECT * FROM missing']), { name: 'LibsqlError' });
    assert.deepEqual((await sqlite.execute('SELECT count(*) FROM t')).rows, [[1]]);
    await assert.rejects(sqlite.batch(['DELETE FROM t'], 'read'), { name: 'LibsqlError' });
  },
  'sqlite: a table that is made once, and a row that is inserted or updated': async ({ sqlite }) => {
    const sql = 'INSERT INTO kv VALUES (:key, :value) ON CONFLICT (key) DO UPDATE SET value = excluded.value';
    for (const value of ['old', 'new']) {
      await sqlite.execute('CREATE TABLE IF NOT EXISTS kv (key TEXT PRIMARY KEY, value TEXT)');
      await sqlite.execute({ sql, args: { key: 'theme', value } });
    }
    assert.deepEqual((await sqlite.execute('SELECT * FROM kv')).rows, [['theme', 'new']]);
    const { rows } = await sqlite.execute("SELECT name FROM sqlite_schema WHERE type = 'table'");
    assert.deepEqual(rows, [['kv']]);
  },
  'sqlite: a transfer that breaks a rule changes neither account': async ({ sqlite }) => {
    const add = 'UPDATE accounts SET amount = amount + ? WHERE name = ?';
    await sqlite.batch([
      'CREATE TABLE accounts (name TEXT PRIMARY KEY, amount INTEGER CHECK (amount >= 0))',
      { sql: 'INSERT INTO accounts VALUES (?, ?), (?, ?)', args: ['a', 10, 'b', 0] },
    ]);
    const transfer = (amount) =>
      sqlite.batch([
        { sql: add, args: [amount, 'b'] },
        { sql: add, args: [-amount, 'a'] },
      ]);
    await transfer(4);
    await assert.rejects(transfer(40), { name: 'LibsqlError', message: /^SQLITE_CONSTRAINT/ });
    assert.deepEqual((await sqlite.execute('SELECT * FROM accounts ORDER BY name')).rows, [
      ['a', 6],
      ['b', 4],
    ]);
  },
  'sqlite/main: is exported by name and as the default': async ({ main, mainByDefault }) => {
    assert.equal(mainByDefault, main);
    assert.deepEqual([main.closed, main.protocol, main.close()], [false, 'http', undefined]);
  },
  'sqlite/main: arguments by position and by name, and a result as JSON': async ({ main }) => {
    const one = async (...args) => (await main.execute(...args)).rows[0];
    assert.equal((await one('SELECT ? AS a', ['x'])).a, 'x');
    assert.equal((await one({ sql: 'SELECT :a AS a', args: { a: 'y' } })).a, 'y');
    const result = await main.execute('SELECT 1 AS one');
    assert.deepEqual(JSON.parse(JSON.stringify(result)).columns, ['one']);
    const [first] = await main.batch([{ sql: 'SELECT ? AS a', args: [3] }], 'read');
    assert.equal(first.rows[0].a, 3);
  },
  'sqlite/main: a row has values by name and by position': async ({ main }) => {
    const { rows, lastInsertRowid } = await main.execute({ sql: "SELECT 1 AS one, x'0102' AS bytes, 'b' AS one" });
    const [row] = rows;
    assert.deepEqual([row.one, row[0], row[2], row.length], [1, 1, 'b', 3]);
    assert.deepEqual([...new Uint8Array(row.bytes)], [1, 2]);
    assert.deepEqual(Object.keys(row), ['one', 'bytes']);
    assert.equal(lastInsertRowid, undefined);
    assert.deepEqual(JSON.parse(JSON.stringify((await main.execute("SELECT 'x' AS name")).rows)), [{ name: 'x' }]);
  },
  'sqlite/main: inserts, batches and what needs a connection': async ({ main }) => {
    await main.batch(['CREATE TABLE t (a, b)', ['INSERT INTO t VALUES (?, ?)', [1, 2]]], 'write');
    const { lastInsertRowid, rowsAffected } = await main.execute('INSERT INTO t VALUES (3, 4)');
    assert.deepEqual([lastInsertRowid, rowsAffected], [2n, 1]);
    assert.deepEqual(
      (await main.execute('SELECT a, b FROM t')).rows.map(({ a, b }) => [a, b]),
      [
        [1, 2],
        [3, 4],
      ],
    );
    await assert.rejects(main.transaction('write'), /transaction\(\) is not emulated/);
    await assert.rejects(main.execute('SELECT * FROM missing'), { name: 'LibsqlError' });
  },
  'blob: JSON, which is undefined without a blob': async ({ blob }) => {
    assert.equal(await blob.getJSON('settings'), undefined);
    await blob.setJSON('settings', { theme: 'dark' });
    assert.deepEqual(await blob.getJSON('settings'), { theme: 'dark' });
  },
  'blob: bytes, texts and streams': async ({ blob }) => {
    await blob.set('bytes', new Uint8Array([0, 255]));
    assert.deepEqual([...new Uint8Array(await (await blob.get('bytes')).arrayBuffer())], [0, 255]);
    await blob.set('a/b ?', new Response('streamed').body);
    assert.equal(await (await blob.get('a/b ?')).text(), 'streamed');
  },
  'blob: lists, copies, moves and deletes': async ({ blob }) => {
    await blob.set('user_1', 'one');
    await blob.copy('user_1', 'copy');
    await blob.move('user_1', 'user_2');
    const list = await blob.list('user_');
    assert.deepEqual(
      list.map(({ key, size }) => [key, size]),
      [['user_2', 3]],
    );
    assert.equal(typeof list[0].lastModified, 'string');
    await blob.delete('user_2');
    assert.deepEqual(
      (await blob.list()).map(({ key }) => key),
      ['copy'],
    );
  },
  'blob: an uploaded file, and a response that is passed on': async ({ blob }) => {
    await blob.set('file', new Blob(['one', 'two']));
    const response = await blob.get('file');
    assert.equal(response.ok, true);
    assert.equal(await new Response(response.body).text(), 'onetwo');
    await blob.set('file', new TextEncoder().encode('three').buffer);
    assert.equal(await (await blob.get('file')).text(), 'three');
  },
  'blob: values of JSON, also null and a list': async ({ blob }) => {
    for (const value of [null, [1, { a: 'b' }], 'text', 0]) {
      await blob.setJSON('value', value);
      assert.deepEqual(await blob.getJSON('value'), value);
    }
  },
  'blob: another refusal is an error without that name': async ({ blob, ValTownBlobError, sandbox }) => {
    await sandbox.fail('GET /v1/blob/{key}', { status: 500, times: 1 });
    const error = await blob.getJSON('any').catch((caught) => caught);
    assert.ok(error instanceof ValTownBlobError);
    assert.equal(error.name, 'ValTownBlobError');
  },
  'blob: a missing one is an error with a name': async ({ blob, ValTownBlobNotFoundError }) => {
    for (const ask of [() => blob.get('none'), () => blob.delete('none'), () => blob.copy('none', 'other')]) {
      const error = await ask().catch((caught) => caught);
      assert.ok(error instanceof ValTownBlobNotFoundError);
      assert.equal(error.name, 'ValTownBlobNotFoundError');
    }
  },
  'email: is kept, with its replies': async ({ email, sandbox }) => {
    const sent = await email({ subject: 'Hi', text: 'there', replyTo: ['Eve <eve@example.com>', 'bob@example.com'] });
    assert.deepEqual(sent, { message: 'Email accepted to be sent' });
    const [kept] = await sandbox.emails();
    assert.equal(kept.subject, 'Hi');
    assert.deepEqual(
      kept.replyTo.map(({ email: address }) => address),
      ['eve@example.com', 'bob@example.com'],
    );
    await sandbox.expectEmail({ subject: 'Hi', times: 1 });
  },
  'email: without a recipient it goes to the user': async ({ email, sandbox }) => {
    await email({ text: 'To me' });
    const [kept] = await sandbox.emails({ text: 'To me' });
    assert.equal(kept.to.length, 1);
    assert.equal(kept.subject, 'Message from @ada on Val Town');
  },
  'email: recipients, copies, headers, HTML and an attachment': async ({ email, sandbox }) => {
    await email({
      to: ['a@example.com', { email: 'b@example.com', name: 'Bob' }],
      cc: 'c@example.com',
      bcc: { email: 'd@example.com' },
      from: { email: 'ada.shop@valtown.email', name: 'Shop' },
      replyTo: { email: 'e@example.com', name: 'Eve' },
      subject: 'Order',
      html: '<p>Thanks</p>',
      headers: { 'X-Order': '7' },
      attachments: [{ content: btoa('a,b'), filename: 'order.csv', type: 'text/csv', disposition: 'attachment' }],
    });
    const [kept] = await sandbox.emails({ subject: 'Order' });
    const addresses = ['to', 'cc', 'bcc', 'replyTo'].map((field) => kept[field].map((each) => each.email).join());
    assert.deepEqual(addresses, ['a@example.com,b@example.com', 'c@example.com', 'd@example.com', 'e@example.com']);
    assert.deepEqual([kept.from.name, kept.to[1].name, kept.replyTo[0].name], ['Shop', 'Bob', 'Eve']);
    assert.deepEqual([kept.html, kept.headers], ['<p>Thanks</p>', { 'X-Order': '7' }]);
    const [{ filename, content }] = kept.attachments;
    assert.deepEqual([filename, atob(content)], ['order.csv', 'a,b']);
  },
  'email: a refused one is an error': async ({ email }) => {
    await assert.rejects(email({ to: [], from: 'someone@example.com', text: 'x' }), /^Error: Val Town Email Error: /);
  },
  'rpc: takes arguments of a POST and of a GET': async ({ rpc }) => {
    const add = rpc((a, b) => a + b);
    const post = (body) => add(new Request('http://val/', { method: 'POST', body }));
    assert.equal(await (await post('[2, 3]')).json(), 5);
    assert.equal(await (await post('{"args":[2,3]}')).json(), 5);
    assert.equal(await (await add(new Request('http://val/?args=[2,4]'))).json(), 6);
    assert.equal((await post('{"a":1}')).status, 400);
    const wait = rpc(async (...args) => (args.length === 0 ? undefined : args));
    assert.equal(await (await wait(new Request('http://val/'))).json(), null);
  },
  'fetch: is the global one of the moment': async ({ stdFetch, sandbox }) => {
    assert.equal((await stdFetch(`${sandbox.url}/v1/me`)).status, 401);
    const before = globalThis.fetch;
    globalThis.fetch = async (input, { method }) => new Response(`${method} ${input}`);
    try {
      assert.equal(await (await stdFetch('https://a.test/', { method: 'PUT' })).text(), 'PUT https://a.test/');
    } finally {
      globalThis.fetch = before;
    }
  },
  'oauth: a login without a page, its user, and a logout': async ({ oauth, sandbox }) => {
    const app = oauth.oauthMiddleware(async (request) =>
      Response.json({ path: new URL(request.url).pathname, session: await oauth.getOAuthUserData(request) }),
    );
    const start = await app(new Request('http://val.test/auth/login?returnTo=/admin'));
    const back = await sandbox.login(start.headers.get('location'), { user: 'grace' });
    const done = await app(new Request(back));
    assert.deepEqual([start.status, done.status, done.headers.get('location')], [302, 302, '/admin']);
    assert.match(
      done.headers.get('set-cookie'),
      /^val_oauth_session=\S+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
    );
    const [cookie] = done.headers.get('set-cookie').split(';');
    const read = async (headers) => (await app(new Request('http://val.test/admin', { headers }))).json();
    const { path, session } = await read({ cookie: `a=b; ${cookie}` });
    assert.deepEqual([path, session.user.username, session.user.type], ['/admin', 'grace', 'user']);
    assert.deepEqual(Object.keys(session), ['user', 'accessToken', 'refreshToken', 'idToken', 'expiresAt']);
    const me = await sandbox.fetch('/v1/me', { headers: { authorization: `Bearer ${session.accessToken}` } });
    assert.equal((await me.json()).username, 'grace');
    for (const headers of [{}, { cookie: `${cookie}x` }, { cookie: 'val_oauth_session=' }]) {
      assert.equal((await read(headers)).session, null);
    }
    const logOut = (origin) => app(new Request('http://val.test/auth/logout', { method: 'POST', headers: { origin } }));
    assert.match((await logOut('http://val.test')).headers.get('set-cookie'), /^val_oauth_session=; .*Max-Age=0/);
    assert.equal((await logOut('http://other.test')).status, 403);
  },
  'oauth: a login that fails, and scopes and name of a client': async ({ oauth, sandbox }) => {
    const app = oauth.oauthMiddleware({ scopes: ['user_r'], clientName: 'Shop' }, () => new Response('own'));
    const begin = async (query = '') =>
      (await app(new Request(`https://val.test/auth/login${query}`))).headers.get('location');
    const denied = await app(new Request(await sandbox.login(await begin(), { user: 'ada', deny: true })));
    assert.deepEqual([denied.status, /^Login failed: /.test(await denied.text())], [400, true]);
    const forged = await app(new Request('https://val.test/auth/callback?code=a&state=b.c'));
    assert.equal(await forged.text(), 'Login failed: the state is not of this val. Begin at /auth/login.');
    const done = await app(new Request(await sandbox.login(await begin('?returnTo=//evil.test'), { user: 'ada' })));
    assert.deepEqual([done.headers.get('location'), /; Secure$/.test(done.headers.get('set-cookie'))], ['/', true]);
    assert.equal(new URL(await begin()).searchParams.get('scope'), 'user_r');
    assert.equal(await (await app(new Request('https://val.test/auth/none'))).text(), 'own');
    assert.throws(() => oauth.oauthMiddleware({}), { name: 'TypeError', message: /expected a handler/ });
  },
  'utils: a file, and all of a directory': async ({ utils, address }) => {
    assert.equal(await utils.readFile('/README.md', address), '# Site');
    assert.equal(await utils.readFile('web/$a.txt', address), 'both');
    await assert.rejects(utils.readFile('none.txt', address), /^Error: Failed to fetch file none\.txt: /);
    const paths = async (files) => (await files).map(({ path }) => path);
    assert.deepEqual(await paths(utils.listFilesByPath('web', address)), ['web/$a.txt', 'web/index.js']);
    assert.deepEqual(await paths(utils.listFiles(address)), [
      ...['README.md', 'index.html', 'main.http.ts', 'post.email.ts', 'web', 'web/$a.txt', 'web/index.js'],
    ]);
  },
  'utils: what an address says of a val': async ({ utils, address }) => {
    const { links, ...info } = utils.parseVal(address);
    assert.deepEqual(info, {
      ...{ owner: 'ada', username: 'ada', name: 'site', version: 1, branch: 'main', path: 'main.http.ts' },
    });
    assert.equal(links.self.val, 'https://www.val.town/x/ada/site');
    assert.equal(utils.parseProject(address).links.self.project, 'https://www.val.town/x/ada/site');
    assert.equal(utils.isMain(address), false);
    assert.match(await utils.getValId(address), /^[\da-f-]{36}$/);
  },
  'utils: a file as a response, with its media type, and a 404': async ({ utils, address }) => {
    const get = async (path) => {
      const response = await utils.serveFile(path, address);
      return [response.status, response.headers.get('content-type'), await response.text()];
    };
    assert.deepEqual(await get('/index.html'), [200, 'text/html; charset=utf-8', '<p>Hi</p>']);
    assert.deepEqual(await get('web/index.js'), [200, 'text/javascript', 'export {};']);
    assert.deepEqual(await get(new Request('https://val/web/%24a.txt?x=1')), [
      ...[200, 'text/plain; charset=utf-8', 'both'],
    ]);
    assert.deepEqual(await get('/none.js'), [404, 'text/plain; charset=utf-8', 'File not found: /none.js']);
    assert.equal(utils.getContentType('script.ts'), 'text/javascript');
    assert.equal(utils.getContentType('DATA.JSON'), 'application/json; charset=utf-8');
  },
  'utils: a server of the files': async ({ utils, address }) => {
    const serve = utils.staticHTTPServer(address);
    const get = async (path) => (await serve(new Request(`https://val${path}`))).text();
    assert.deepEqual([await get('/'), await get('/README.md')], ['<p>Hi</p>', '# Site']);
    for (const path of ['/none', '/%']) assert.equal((await serve(new Request(`https://val${path}`))).status, 404);
  },
  'utils: a file that programs keep, by the version of the val': async ({ utils, address }) => {
    assert.equal(utils.immutableFileUrl('/web/index.js', address), '/__immutable/1/web/index.js');
    const get = (path) => utils.serveImmutableFile(path, address);
    const kept = await get('/__immutable/1/web/index.js');
    assert.equal(kept.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(await kept.text(), 'export {};');
    assert.equal((await get('/__immutable/0/web/index.js')).status, 404);
    const bare = await get('/web/index.js');
    assert.deepEqual([bare.status, bare.headers.get('location')], [302, '/__immutable/1/web/index.js']);
  },
  'utils: the addresses of a file': async ({ utils, address }) => {
    assert.match(await utils.httpEndpoint('/main.http.ts', address), /^https:\/\/ada--[\da-f]{32}\.web\.val\.run\/$/);
    assert.match(await utils.emailAddress('post.email.ts', address), /^ada\.[\da-f]{32}@valtown\.email$/);
    await assert.rejects(utils.httpEndpoint('README.md', address), {
      message: 'std/utils: README.md has the type file; expected http.',
    });
  },
  'utils: an address of no emulator is an error': async ({ utils }) => {
    await assert.rejects(utils.readFile('a', 'file:///site/main.ts'), {
      message: /^std\/utils: file:\/\/\/site\/main\.ts is of no project of an emulator\. .*--project ada\/site=/,
    });
    await assert.rejects(utils.serveFile('a'), { message: /^std\/utils: no val is known\. Pass import\.meta\.url/ });
    assert.throws(() => utils.testServer(), { message: /testServer\(\) is not emulated/ });
  },
  'a fault shows what a val does when the service fails': async ({ sqlite, sandbox }) => {
    await sandbox.fail('POST /v1/sqlite/execute', { status: 503, times: 1 });
    await assert.rejects(sqlite.execute('SELECT 1'), { name: 'Error', message: /^std\/sqlite: / });
    assert.deepEqual((await sqlite.execute('SELECT 1')).rows, [[1]]);
  },
  'the fetch of a test is not called': async ({ sqlite }) => {
    const before = globalThis.fetch;
    globalThis.fetch = () => Promise.reject(new Error('mocked'));
    try {
      assert.deepEqual((await sqlite.execute('SELECT 1')).rows, [[1]]);
    } finally {
      globalThis.fetch = before;
    }
  },
  'rows() reads the database of the user': async ({ sqlite, sandbox }) => {
    await sqlite.execute('CREATE TABLE t (a)');
    await sqlite.execute('INSERT INTO t VALUES (?)', ['x']);
    assert.deepEqual(await sandbox.rows('SELECT a FROM t'), [{ a: 'x' }]);
    await sandbox.as('grace');
    await assert.rejects(sandbox.rows('SELECT a FROM t'), { name: 'ControlError', message: /no such table: t/ });
    await assert.rejects(sandbox.as('grce'), { name: 'TypeError', message: /"grce".*ada, grace/ });
  },
};

const FILES = {
  'README.md': '# Site',
  'index.html': '<p>Hi</p>',
  'main.http.ts': 'export default () => new Response();',
  'post.email.ts': 'export default () => {};',
  'web/$a.txt': 'both',
  'web/index.js': 'export {};',
};

/** Runs a case in a sandbox of its own. @param std the modules: `{ sqlite, main, blob, … }`. @param useEmulator of std/test */
export async function runCase(name, std, useEmulator, url) {
  const users = [{ username: 'ada' }, { username: 'grace' }];
  const projects = [{ owner: 'ada', name: 'site', privacy: 'private', files: FILES }];
  const sandbox = await useEmulator({ url, fixtures: { users, projects }, user: 'ada', title: name });
  try {
    const address = `${sandbox.url}/_emulator/esm/${crypto.randomUUID()}/v/ada/site@1-main/main.http.ts`;
    await cases[name]({ ...std, sandbox, address });
  } finally {
    await sandbox.close();
  }
}
