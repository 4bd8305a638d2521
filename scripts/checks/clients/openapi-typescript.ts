import createClient from 'openapi-fetch';
import type { components, paths } from './client/api.js';

type ApiError = components['schemas']['ApiError'];
type RunPage = components['schemas']['RunPage'];

export async function useClient(url: string, token: string) {
  const client = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } });
  const body: components['schemas']['NewCode'] = {
    name: 'greeting',
    code: "export const greeting = 'Hello';",
    privacy: 'public',
  };

  const { data: created } = await client.POST('/v1/vals', { body });
  if (!created) throw new Error('no val');
  const { name, privacy, version } = created;
  const params = { path: { val_id: created.id } };
  const versions = await client.GET('/v1/vals/{val_id}/versions', { params: { ...params, query: { limit: 1 } } });
  const runs = await client.GET('/v1/me/runs', {
    params: { query: { limit: 2, source: ['api', 'interval'] } },
    querySerializer: { array: { style: 'form', explode: false } },
  });
  const page: RunPage | undefined = runs.data;
  const read = await client.GET('/v1/vals/{val_id}', { params });
  const conflict = await client.POST('/v1/vals', { body });
  await client.DELETE('/v1/vals/{val_id}', { params });
  const missing = await client.GET('/v1/vals/{val_id}', { params });
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
