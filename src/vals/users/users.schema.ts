import { Type } from 'typebox';
import type { Links } from '#engine/api/pagination.js';
import { Choice, Id, Nullable, Url, uuid } from '#engine/schema/common.js';
import { record } from '#engine/schema/schema.js';
import type { Settings } from '#vals/lib/state.collection.js';
import type { Owner } from '#vals/projects/project-records.collection.js';
import { TIERS, type User } from '#vals/service/service.collection.js';

const OWNER_TYPES = ['user', 'org'] as const;
export const OwnerType = Choice(OWNER_TYPES, { title: 'OwnerType' });

export const Author = record('Author', { id: Id, username: Nullable(Type.String()) });

export const UserPath = Type.Object({ user_id: uuid('Id of a user') });

const profile = {
  id: Id,
  bio: Nullable(Type.String()),
  username: Nullable(Type.String()),
  profileImageUrl: Nullable(Url),
  url: Url,
  links: record('UserLinks', { self: Url }),
  type: Type.Optional(Choice(OWNER_TYPES, { title: 'OwnerType', description: 'Absent without the option `userType`' })),
};

export const UserProfile = record('User', profile);

const Tier = Choice(TIERS, { title: 'Tier' });

/** The profile with the fields that only the user sees. */
export const Me = record('Me', { ...profile, tier: Nullable(Tier), email: Type.String() });

export const authorView = ({ id, username }: User) => ({ id, username });

export const profileView = (account: Owner, { userType }: Settings, links: Links) => {
  const { id, username, type } = account;
  const { bio, profileImageUrl } = type === 'user' ? account : { bio: null, profileImageUrl: null };
  return {
    id,
    bio,
    username,
    profileImageUrl,
    url: `https://val.town/u/${username ?? id}`,
    links: { self: `${links.base}/v1/users/${id}` },
    ...(userType === true ? { type } : {}),
  };
};

export function meView(user: User, settings: Settings, links: Links) {
  return { ...profileView({ type: 'user', ...user }, settings, links), tier: user.tier, email: user.email };
}
