import { client } from './client/client.gen.js';
import {
  type ApiError,
  createVal,
  deleteVal,
  getVal,
  listMyRuns,
  listValVersions,
  type RunPage,
} from './client/index.js';

export async function useClient(url: string, token: string) {
  client.setConfig({ baseUrl: url, auth: token });
  const body = { name: 'greeting', code: "export const greeting = 'Hello';", privacy: 'public' } as const;

  const { data: created } = await createVal({ body });
  if (!created) throw new Error('no val');
  const { name, privacy, version } = created;
  const path = { val_id: created.id };
  const versions = await listValVersions({ path, query: { limit: 1 } });
  const runs = await listMyRuns({ query: { limit: 2, source: ['api', 'interval'] } });
  const page: RunPage | undefined = runs.data;
  const read = await getVal({ path });
  const conflict = await createVal({ body });
  await deleteVal({ path });
  const missing = await getVal({ path });
  const error: ApiError | undefined = missing.error;
  return {
    created: { name, privacy, version },
    versions: versions.data?.data.map((item) => item.version),
    runs: page?.data.length,
    code: read.data?.code,
    conflict: conflict.error?.statusCode,
    missing: error?.message,
  };
}
