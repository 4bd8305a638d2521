import ValTown, { NotFoundError } from '@valtown/sdk';

/** @typedef {import('@valtown/sdk').ValTown.Val} Val */
/** @typedef {Readonly<Record<string, string>>} Texts The text of each file by path. */

/**
 * Returns a val of the user by name, which is created if there is none.
 * @param {string} username
 * @param {string} name
 * @returns {Promise<Val>}
 */
export async function open(username, name) {
  const client = new ValTown();
  try {
    return await client.alias.username.valName.retrieve(username, name);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return await client.vals.create({ name, privacy: 'public', description: 'Deployed from a folder' });
  }
}

/**
 * Returns the id of a branch, which is created as a fork of `main` if there is none.
 * @param {string} val
 * @param {string} name
 */
export async function openBranch(val, name) {
  const client = new ValTown();
  for await (const branch of client.vals.branches.list(val, { limit: 100, offset: 0 })) {
    if (branch.name === name) return branch.id;
  }
  return (await client.vals.branches.create(val, { name })).id;
}

/**
 * Makes the files of a branch equal to those of a folder: only differences are sent.
 * @param {string} val
 * @param {string} branch
 * @param {Texts} texts
 * @returns the version of the branch
 */
export async function push(val, branch, texts) {
  const { files } = new ValTown().vals;
  const before = await pull(val, branch);
  for (const directory of listDirectories(Object.keys(texts))) {
    if (await exists(val, branch, directory)) continue;
    await files.create(val, { path: directory, branch_id: branch, type: 'directory' });
  }
  for (const [path, content] of Object.entries(texts)) {
    if (!(path in before)) await files.create(val, { path, branch_id: branch, content, type: findType(path) });
    else if (before[path] !== content) await files.update(val, { path, branch_id: branch, content });
  }
  for (const path of Object.keys(before)) {
    if (!(path in texts)) await files.delete(val, { path, branch_id: branch, recursive: false });
  }
  return (await new ValTown().vals.branches.retrieve(val, branch)).version;
}

/**
 * Reads the files of a branch, at one of its versions or the latest one.
 * @param {string} val
 * @param {string} branch
 * @param {number} [version]
 * @returns {Promise<Texts>}
 */
export async function pull(val, branch, version) {
  const { files } = new ValTown().vals;
  const at = { branch_id: branch, ...(version === undefined ? {} : { version }) };
  /** @type {Record<string, string>} */
  const texts = {};
  for await (const { path, type } of files.retrieve(val, { ...at, path: '', recursive: true, limit: 100, offset: 0 })) {
    if (type !== 'directory') texts[path] = await (await files.getContent(val, { ...at, path })).text();
  }
  return texts;
}

/**
 * Gives a file another name, and returns its new path. Its id, and so its address, stays.
 * @param {string} val
 * @param {string} branch
 * @param {string} path
 * @param {string} name
 */
export async function rename(val, branch, path, name) {
  return (await new ValTown().vals.files.update(val, { path, branch_id: branch, name })).path;
}

/**
 * Returns the address at which a file of the type `http` responds.
 * @param {string} val
 * @param {string} path
 */
export async function findEndpoint(val, path) {
  const client = new ValTown();
  const { data } = await client.vals.files.retrieve(val, { path, recursive: false, limit: 1, offset: 0 });
  return data[0] && (await client.files.retrieve(data[0].id)).links.endpoint;
}

/**
 * Makes the environment variables of a val equal to these, and returns their keys. No response has a value.
 * @param {string} val
 * @param {Texts} values
 */
export async function configure(val, values) {
  const { environmentVariables } = new ValTown().vals;
  const { data } = await environmentVariables.list(val, { limit: 100, offset: 0 });
  const keys = data.map(({ key }) => key);
  const gone = keys.filter((key) => !(key in values));
  for (const key of gone) await environmentVariables.delete(val, key);
  const set = [];
  for (const [key, value] of Object.entries(values)) {
    const variable = keys.includes(key)
      ? await environmentVariables.update(val, key, { value })
      : await environmentVariables.create(val, { key, value });
    set.push(variable.key);
  }
  return set;
}

/**
 * Deletes a branch.
 * @param {string} val
 * @param {string} branch
 */
export async function closeBranch(val, branch) {
  await new ValTown().vals.branches.delete(val, branch);
}

/**
 * Deletes a val after a check of its name, since nothing brings it back.
 * @param {string} val
 * @param {string} name
 */
export async function remove(val, name) {
  const client = new ValTown();
  const found = await client.vals.retrieve(val);
  if (found.name !== name) throw new Error(`The val is called ${found.name}, not ${name}.`);
  await client.vals.delete(val);
}

/**
 * @param {string} val
 * @param {string} branch
 * @param {string} path
 */
async function exists(val, branch, path) {
  try {
    await new ValTown().vals.files.retrieve(val, { path, branch_id: branch, recursive: false, limit: 1, offset: 0 });
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

/**
 * Lists the directories of files. Those above them are created with them.
 * @param {readonly string[]} paths
 */
function listDirectories(paths) {
  return new Set(paths.filter((path) => path.includes('/')).map((path) => path.slice(0, path.lastIndexOf('/'))));
}

/**
 * Files run by their names, as in the command-line tool of the service.
 * @param {string} path
 */
function findType(path) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!/\.[jt]sx?$/.test(name)) return 'file';
  if (name.includes('http')) return 'http';
  return name.includes('cron') ? 'interval' : 'script';
}
