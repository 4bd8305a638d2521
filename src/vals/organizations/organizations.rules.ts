import { organizationNotFound } from '#vals/lib/errors.rules.js';
import type { State } from '#vals/lib/state.collection.js';
import type { User } from '#vals/users/users.collection.js';
import type { Membership, Organization } from './organization-records.collection.js';

export const isMember = ({ memberships }: State, orgId: string, user: User | undefined): boolean =>
  user !== undefined && memberships.by.organization.get([orgId, user.id]) !== undefined;

/** Lists the organizations of a user, in the order in which the user joined them. */
export function* listOrganizations(state: State, user: User): Generator<Organization> {
  for (const { orgId } of state.memberships.by.user.range([user.id])) {
    const organization = state.organizations.get(orgId);
    if (organization) yield organization;
  }
}

/** Returns an organization of the caller. @throws ApiError 404, also for one of others */
export function getOrganization(state: State, id: string, caller: User): Organization {
  const organization = state.organizations.get(id.toLowerCase());
  if (!organization || !isMember(state, organization.id, caller)) throw organizationNotFound(id);
  return organization;
}

/** Lists the members of an organization, in the order in which they joined it. */
export const listMemberships = ({ memberships }: State, { id }: Organization): Membership[] =>
  [...memberships.by.organization.range([id])].sort((a, b) => a.serial - b.serial);
