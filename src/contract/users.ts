import * as z from 'zod';
import { TIERS, type User } from '../domain/users.js';
import { named } from './components.js';
import { uuid } from './fields.js';
import type { Links } from './links.js';

/** The author of something, where it is shown in brief. */
export const Author = named('Author', z.strictObject({ id: z.guid(), username: z.string().nullable() }));

export const UserPath = z.object({ user_id: uuid.describe('Id of a user') });

export const UserProfile = named(
  'User',
  z.strictObject({
    id: z.guid(),
    bio: z.string().nullable(),
    username: z.string().nullable(),
    profileImageUrl: z.url().nullable(),
    url: z.url(),
    links: z.strictObject({ self: z.url() }),
  }),
);

/** What only the user sees beside the profile. */
export const Me = named('Me', UserProfile.extend({ tier: z.enum(TIERS).nullable(), email: z.string() }));

export const authorView = ({ id, username }: User) => ({ id, username });

/** How web addresses name a user. Accounts without a username are named by id. */
export const handleOf = (user: User): string => user.username ?? user.id;

export const userView = (user: User, links: Links) => ({
  id: user.id,
  bio: user.bio,
  username: user.username,
  profileImageUrl: user.profileImageUrl,
  url: `https://val.town/u/${handleOf(user)}`,
  links: { self: links.to(`/v1/users/${user.id}`) },
});

export const meView = (user: User, links: Links) =>
  Object.assign(userView(user, links), { tier: user.tier, email: user.email });
