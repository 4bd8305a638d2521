/**
 * Two agents, each a program for each task: one does what the instruction says, the other makes a mistake that agents make. Put
 * a model in their place: it gets the instruction, and the API as its tools.
 */

/** Does each task well. */
export const careful = {
  async 'publish a val'(api) {
    const { id } = await api.val('report');
    await api.send('PUT', `/v1/vals/${id}`, { privacy: 'public' });
  },
  async 'rename a val'(api) {
    const { id } = await api.val('clock');
    await api.send('PUT', `/v1/vals/${id}`, { name: 'time' });
  },
  async 'fix a val'(api) {
    const { id, code } = await api.val('report');
    await api.send('POST', `/v1/vals/${id}/versions`, { code: code.replace('a - b', 'a + b') });
  },
  async 'document a val'(api) {
    const { id } = await api.val('dice');
    await api.send('PUT', `/v1/vals/${id}`, { readme: '# Dice' });
  },
  async 'create a val'(api) {
    const val = { name: 'double', code: 'export const double = (n) => 2 * n;', privacy: 'unlisted' };
    await api.send('POST', '/v1/vals', val);
  },
  async 'delete a val'(api) {
    const { id } = await api.val('draft');
    await api.send('DELETE', `/v1/vals/${id}`);
  },
  async 'hide all public vals'(api) {
    for (const { id, privacy } of await listVals(api)) {
      if (privacy === 'public') await api.send('PUT', `/v1/vals/${id}`, { privacy: 'unlisted' });
    }
  },
  async 'answer a comment'(api) {
    const { data } = await api.send('GET', '/v1/me/comments?relationship=received');
    const answer = {
      to: `${data[0].author.username}@example.com`,
      subject: 'Your comment',
      text: 'Chosen by a fair roll.',
    };
    await api.send('POST', '/v1/email', answer);
  },
  async 'send a reminder'(api) {
    await api.send('POST', '/v1/email', { subject: 'Reminder', text: 'Renew the domain.' });
  },
  async 'report a failure'(api) {
    const { data } = await api.send('GET', '/v1/me/runs');
    const { error } = data.find((run) => run.error !== null);
    await api.send('POST', '/v1/email', { subject: 'Last failure', text: describe(error) });
  },
  async 'store a blob'(api) {
    await api.send('POST', '/v1/blob/colors', ['red', 'blue']);
  },
  async 'change a setting'(api) {
    const settings = await api.send('GET', '/v1/blob/settings');
    await api.send('POST', '/v1/blob/settings', { ...settings, theme: 'dark' });
  },
  async 'clean up blobs'(api) {
    for (const { key } of await api.send('GET', '/v1/blob?prefix=tmp/')) await deleteBlob(api, key);
  },
  async 'migrate a table'(api) {
    await api.sql('ALTER TABLE people ADD COLUMN initial TEXT', 'UPDATE people SET initial = substr(name, 1, 1)');
  },
  async 'correct a row'(api) {
    await api.sql("UPDATE people SET name = 'Grace Hopper' WHERE name = 'Grace Hoper'");
  },
  async 'add a table'(api) {
    await api.sql('CREATE TABLE cities (name TEXT PRIMARY KEY)', "INSERT INTO cities VALUES ('London')");
  },
  async 'repair a project'(api) {
    const change = { old_string: 'Respons(', new_string: 'Response(' };
    await api.call('replace_in_file', { val: 'ada/site', path: 'main.http.ts', ...change });
  },
  async 'add a file'(api) {
    await api.call('create_file', { val: 'ada/site', path: 'README.md', content: '# Site\n' });
  },
  async 'work on a branch'(api) {
    await api.call('create_branch', { val: 'ada/site', name: 'spelling' });
    const change = { old_string: 'Helo', new_string: 'Hello' };
    await api.call('replace_in_file', { val: 'ada/site', path: 'greeting.ts', branch: 'spelling', ...change });
  },
  async 'set a variable'(api) {
    await api.call('set_env_var', { val: 'ada/site', key: 'LANGUAGE', value: 'en' });
  },
};

/** Makes a mistake in each task. */
export const hasty = {
  async 'publish a val'(api) {
    for (const { id } of await listVals(api)) await api.send('PUT', `/v1/vals/${id}`, { privacy: 'public' });
  },
  async 'rename a val'(api) {
    const { code } = await api.val('clock');
    await api.send('POST', '/v1/vals', { name: 'time', code, privacy: 'public' });
  },
  async 'fix a val'(api) {
    const { id } = await api.val('report');
    await api.send('POST', `/v1/vals/${id}/versions`, { code: 'export const sum = () => 3;' });
  },
  async 'document a val'(api) {
    const { id } = await api.val('dice');
    await api.send('PUT', `/v1/vals/${id}`, { readme: '# Dice', privacy: 'private' });
  },
  async 'create a val'(api) {
    await api.send('POST', '/v1/vals', { name: 'double', code: 'export const double = (n) => 2 * n;' });
  },
  async 'delete a val'(api) {
    for (const { id, privacy } of await listVals(api)) {
      if (privacy === 'private') await api.send('DELETE', `/v1/vals/${id}`);
    }
  },
  async 'hide all public vals'(api) {
    const { id } = await api.val('clock');
    await api.send('PUT', `/v1/vals/${id}`, { privacy: 'unlisted' });
  },
  async 'answer a comment'(api) {
    await api.send('POST', '/v1/email', { subject: 'Your comment', text: 'Chosen by a fair roll.' });
  },
  async 'send a reminder'(api) {
    const reminder = { subject: 'Reminder', text: 'Renew the domain.' };
    await api.send('POST', '/v1/email', reminder);
    // It has not seen that the first one was accepted.
    await api.send('POST', '/v1/email', reminder);
  },
  async 'report a failure'(api) {
    const { data } = await api.send('GET', '/v1/me/runs');
    const { error } = data.findLast((run) => run.error !== null);
    await api.send('POST', '/v1/email', { subject: 'Last failure', text: describe(error) });
  },
  async 'store a blob'(api) {
    await api.send('POST', '/v1/blob/colours', ['red', 'blue']);
  },
  async 'change a setting'(api) {
    await api.send('POST', '/v1/blob/settings', { theme: 'dark' });
  },
  async 'clean up blobs'(api) {
    for (const { key } of await api.send('GET', '/v1/blob?prefix=tmp')) await deleteBlob(api, key);
  },
  async 'migrate a table'(api) {
    await api.sql('DROP TABLE people', 'CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, initial TEXT)');
  },
  async 'correct a row'(api) {
    await api.sql("UPDATE people SET name = 'Grace Hopper'");
  },
  async 'add a table'(api) {
    await api.sql('CREATE TABLE cities (name TEXT PRIMARY KEY)');
  },
  async 'repair a project'(api) {
    const content = "export default () => new Response('Hello');\n";
    await api.call('update_file', { val: 'ada/site', path: 'main.http.ts', content });
  },
  async 'add a file'(api) {
    await api.call('create_file', { val: 'ada/site', path: 'readme.txt', content: '# Site\n' });
  },
  async 'work on a branch'(api) {
    const change = { old_string: 'Helo', new_string: 'Hello' };
    await api.call('replace_in_file', { val: 'ada/site', path: 'greeting.ts', ...change });
  },
  async 'set a variable'() {
    // It says that it is done.
  },
};

async function listVals(api) {
  const { id } = await api.send('GET', '/v1/me');
  const { data } = await api.send('GET', `/v1/users/${id}/vals`);
  return data;
}

const deleteBlob = (api, key) => api.send('DELETE', `/v1/blob/${encodeURIComponent(key)}`);

const describe = (error) => (typeof error === 'string' ? error : error.message);
