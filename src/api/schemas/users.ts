import { Type } from 'typebox';
import { TIERS, type User } from '../../model/schema.js';
import type { Links } from '../links.js';
import { Id, Nullable, Url, uuid } from './common.js';

/** An author in brief. */
export const Author = Type.Object(
  { id: Id, username: Nullable(Type.String()) },
  { title: 'Author', additionalProperties: false },
);

export const UserPath = Type.Object({ user_id: uuid('Id of a user') });

const profile = {
  id: Id,
  bio: Nullable(Type.String()),
  username: Nullable(Type.String()),
  profileImageUrl: Nullable(Url),
  url: Url,
  links: Type.Object({ self: Url }, { additionalProperties: false }),
};

export const UserProfile = Type.Object(profile, { title: 'User', additionalProperties: false });

/** The profile with the fields that only the user sees. */
export const Me = Type.Object(
  { ...profile, tier: Nullable(Type.Enum([...TIERS])), email: Type.String() },
  { title: 'Me', additionalProperties: false },
);

export const authorView = ({ id, username }: User) => ({ id, username });

/** Returns the name of a user in web addresses: the id for an account without a username. */
export const getHandle = (user: User): string => user.username ?? user.id;

export const userView = (user: User, links: Links) => ({
  id: user.id,
  bio: user.bio,
  username: user.username,
  profileImageUrl: user.profileImageUrl,
  url: `https://val.town/u/${getHandle(user)}`,
  links: { self: links.to(`/v1/users/${user.id}`) },
});

export const meView = (user: User, links: Links) => ({
  ...userView(user, links),
  tier: user.tier,
  email: user.email,
});
