import { Type } from 'typebox';
import type { Links } from '#engine/api/pagination.js';
import { Choice, Id, Nullable, Url, uuid } from '#engine/api/schemas/common.js';
import { record } from '#engine/lib/schema.js';
import { TIERS, type User } from '../collections/index.js';
import { getHandle } from '../collections/users.js';

export const Author = record('Author', { id: Id, username: Nullable(Type.String()) });

export const UserPath = Type.Object({ user_id: uuid('Id of a user') });

const profile = {
  id: Id,
  bio: Nullable(Type.String()),
  username: Nullable(Type.String()),
  profileImageUrl: Nullable(Url),
  url: Url,
  links: record('UserLinks', { self: Url }),
};

export const UserProfile = record('User', profile);

const Tier = Choice(TIERS, { title: 'Tier' });

/** The profile with the fields that only the user sees. */
export const Me = record('Me', { ...profile, tier: Nullable(Tier), email: Type.String() });

export const authorView = ({ id, username }: User) => ({ id, username });

export const userView = (user: User, links: Links) => ({
  id: user.id,
  bio: user.bio,
  username: user.username,
  profileImageUrl: user.profileImageUrl,
  url: `https://val.town/u/${getHandle(user)}`,
  links: { self: `${links.base}/v1/users/${user.id}` },
});

export function meView(user: User, links: Links) {
  return { ...userView(user, links), tier: user.tier, email: user.email };
}
