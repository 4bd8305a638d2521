import type { Like, Version } from './schema.js';
import type { State } from './state.js';

const getId = ({ id }: { readonly id: string }): string => id;

/** Returns the id of a record, as the control API shows and finds it. Likes and versions have two keys. */
export const identify = {
  users: getId,
  vals: getId,
  versions: ({ valId, version }: Pick<Version, 'valId' | 'version'>): string => `${valId}:${version}`,
  runs: getId,
  likes: ({ valId, userId }: Pick<Like, 'valId' | 'userId'>): string => `${valId}:${userId}`,
  comments: getId,
} as const;

export function findVersion(state: State, id: string): Version | undefined {
  const [valId = '', version] = id.split(':');
  return state.versions.get(valId, Number(version));
}

export function findLike(state: State, id: string): Like | undefined {
  const [valId = '', userId = ''] = id.split(':');
  return state.likes.get(valId, userId);
}
