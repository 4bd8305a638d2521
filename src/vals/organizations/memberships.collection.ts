import type { Row } from '#engine/definition/context.js';
import { defineCollection, type FilledOf } from '#engine/definition/define.js';
import { Id, key, oneOf, optional, record, withDefault } from '#engine/definition/parts.js';
import { asc, index } from '#engine/store/collection.js';
import { loadEach } from '#vals/projects/load.collection.js';
import { OrganizationRef, type ProjectBuilder } from '#vals/projects/names.collection.js';
import type { Projects } from '#vals/projects/project-records.collection.js';
import { getHandle, UserRef } from '#vals/users/users.collection.js';
import { type Membership, membershipIndexes, ROLES } from './organization-records.collection.js';

const schema = record('A user in an organization', {
  organization: key(OrganizationRef, 'Username or id of the organization'),
  user: key(UserRef, 'Username or id of the user'),
  role: withDefault(oneOf(...ROLES), 'member', 'What the user may do'),
  id: optional(Id, 'UUID. Default: derived from organization and user'),
});

type Filled = FilledOf<(typeof schema)['properties']>;

const nameMembership = (organization: string, user: string): string =>
  `membership:${organization}/${user}`.toLowerCase();

function insert(builder: ProjectBuilder, { record, path }: Row<Filled>): Membership | undefined {
  const { sets } = builder;
  const organization = builder.find('organizations', record.organization, `${path}.organization`);
  const user = builder.find('users', record.user, `${path}.user`);
  if (!organization || !user) return undefined;
  if (sets.memberships.by.organization.get([organization.id, user.id])) {
    return builder.report(`${path}.user`, `is a member of ${organization.username} already; expected another user.`);
  }
  const id = builder.toId(record.id, nameMembership(organization.username, getHandle(user)));
  if (sets.memberships.get(id)) return builder.reportTaken(`${path}.id`, id);
  const { role } = record;
  const membership = { id, orgId: organization.id, userId: user.id, role, serial: builder.drawSerial() };
  sets.memberships = sets.memberships.put(membership);
  return membership;
}

export const memberships = defineCollection(
  {
    name: 'memberships',
    title: 'The users in organizations',
    adder: 'membership',
    identity: index<Membership>(asc((record) => record.id)),
    indexes: membershipIndexes,
    schema,
  },
  {
    references: {
      organization: {
        to: 'organizations',
        id: ({ orgId }) => orgId,
        find: ({ by }, id) => by.organization.range([id]),
      },
      user: { to: 'users', id: ({ userId }) => userId, find: ({ by }, id) => by.user.range([id]) },
    },
    load: loadEach('memberships', insert, ({ id }) => id),
    insert,
    write: (names, { id, orgId, userId, role }) => ({
      organization: names.of('organizations', orgId),
      user: names.of('users', userId),
      role,
      id,
    }),
    abridge: (writing) => ({
      abridge: (_membership, { organization, user }) => ({
        defaults: { id: writing.deriveId(nameMembership(organization, user)) },
      }),
    }),
    example: { organization: 'analysts', user: 'ada', role: 'owner' },
    display: (names, { orgId, userId }) => `${names.of('users', userId)} in ${names.of('organizations', orgId)}`,
    related: (sets: Projects, { orgId }) => {
      const organization = sets.organizations.get(orgId);
      return organization ? [['organizations', organization]] : [];
    },
  },
);
