import type { Instant } from '#engine/lib/time.js';
import { asc, index } from '#engine/store/collection.js';

/** An owner of projects that is not a user. */
export interface Organization {
  readonly id: string;
  /** Unique among users and organizations, ignoring case. */
  readonly username: string;
  readonly createdAt: Instant;
  readonly serial: number;
}

export const ROLES = ['owner', 'member'] as const;
type Role = (typeof ROLES)[number];

export interface Membership {
  readonly id: string;
  readonly orgId: string;
  readonly userId: string;
  readonly role: Role;
  readonly serial: number;
}

export const organizationIndexes = {
  username: index<Organization>(asc((organization) => organization.username.toLowerCase())),
  serial: index<Organization>(asc((organization) => organization.serial)),
};

export const membershipIndexes = {
  organization: index<Membership>(
    asc((membership) => membership.orgId),
    asc((membership) => membership.userId),
  ),
  user: index<Membership>(
    asc((membership) => membership.userId),
    asc((membership) => membership.serial),
  ),
};
