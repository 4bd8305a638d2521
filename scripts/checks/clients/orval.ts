import { createVal, deleteVal, getVal, listMyRuns, listValVersions, Privacy, RunSource } from './client/vals.js';

export async function useClient(url: string, token: string) {
  // The functions fetch paths; a browser resolves them.
  const { fetch } = globalThis;
  globalThis.fetch = (path, options) => fetch(`${url}${path}`, options);
  const options = { headers: { Authorization: `Bearer ${token}` } };
  const body = { name: 'greeting', code: "export const greeting = 'Hello';", privacy: Privacy.public };

  const created = await createVal(body, options);
  if (created.status !== 200) throw new Error(created.data.message);
  const { id, name, privacy, version } = created.data;
  const versions = await listValVersions(id, { limit: 1 }, options);
  const runs = await listMyRuns({ limit: 2, source: [RunSource.api, RunSource.interval] }, options);
  const read = await getVal(id, options);
  const conflict = await createVal(body, options);
  await deleteVal(id, options);
  const missing = await getVal(id, options);
  return {
    created: { name, privacy, version },
    versions: versions.status === 200 ? versions.data.data.map((item) => item.version) : undefined,
    runs: runs.status === 200 ? runs.data.data.length : undefined,
    code: read.status === 200 ? read.data.code : undefined,
    conflict: conflict.status,
    missing: missing.status === 404 ? missing.data.message : undefined,
  };
}
