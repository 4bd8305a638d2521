import { formatValue } from '#engine/lib/messages.js';
import { DURATION_EXAMPLES, parseDuration } from '#engine/lib/time.js';
import type { Input } from '../collections/index.js';

/** A time before now: `ago: '5m'` is short for a time of `'-5m'`. */
interface Ago {
  readonly ago?: string | undefined;
}

export type UserSettings = Omit<Input<'users'>, 'username'>;
export type TokenSettings = Omit<Input<'tokens'>, 'user' | 'token'>;
export type ValSettings = Omit<Input<'vals'>, 'author' | 'name'> & Ago;
export type VersionSettings = Omit<Input<'versions'>, 'val' | 'code'> & Ago;
export type RunSettings = Omit<Input<'runs'>, 'val'> & Ago;
export type LikeSettings = Omit<Input<'likes'>, 'user' | 'val'> & Ago;
export type CommentSettings = Omit<Input<'comments'>, 'author' | 'val' | 'comment'> & Ago;
export type EmailSettings = Omit<Input<'emails'>, 'user'> & Ago;
export type BlobSettings = Omit<Input<'blobs'>, 'user' | 'project' | 'key'> & Ago;
export type DatabaseSettings = Omit<Input<'sqlite'>, 'user' | 'project'> & Ago;
export type OrganizationSettings = Omit<Input<'organizations'>, 'username'> & Ago;
export type MemberSettings = Omit<Input<'memberships'>, 'organization' | 'user'>;
export type ProjectSettings = Omit<Input<'projects'>, 'owner' | 'name'> & Ago;
export type BranchSettings = Omit<Input<'branches'>, 'project' | 'name'> & Ago;
export type CommitSettings = Omit<Input<'commits'>, 'branch' | 'files'> & Ago;
export type CommitFiles = NonNullable<Input<'commits'>['files']>;
export type EnvSettings = Omit<Input<'environment'>, 'project' | 'key' | 'value'> & Ago;
export type ResponseSettings = Omit<Input<'responses'>, 'project' | 'file'>;

/** An invalid call of the builder. */
export class FixtureBuilderError extends TypeError {
  override name = 'FixtureBuilderError';
}

/** Converts `ago` to a time. */
export function withTime<K extends string, S extends Ago & { readonly [key in K]?: string | undefined }>(
  key: K,
  settings: S,
): Omit<S, 'ago'> {
  const { ago, ...others } = settings;
  if (ago === undefined) return others;
  if (settings[key] !== undefined) throw new FixtureBuilderError(`found both ago and ${key}; expected one of them.`);
  if (typeof ago !== 'string' || parseDuration(ago) === undefined) {
    const problem = `found ${formatValue(ago)}; expected a length of time such as ${DURATION_EXAMPLES}.`;
    throw new FixtureBuilderError(`ago: ${problem}`);
  }
  return { ...others, [key]: `-${ago}` };
}
