import type { Row } from '#engine/definition/context.js';
import { defineCollection, type FilledOf } from '#engine/definition/define.js';
import { Id, key, NOW, optional, record, Time, withDefault } from '#engine/definition/parts.js';
import { didYouMean } from '#engine/lib/messages.js';
import { toTimestamp } from '#engine/lib/time.js';
import { asc, index } from '#engine/store/collection.js';
import { loadEach } from '#vals/projects/load.collection.js';
import { findOrganization, type ProjectBuilder } from '#vals/projects/names.collection.js';
import type { Projects } from '#vals/projects/project-records.collection.js';
import { findUserByName, Name } from '#vals/users/users.collection.js';
import { type Organization, organizationIndexes } from './organization-records.collection.js';

const schema = record('An organization, which owns projects', {
  username: key(Name, 'Unique among users and organizations, ignoring case'),
  createdAt: withDefault(Time, NOW, 'Creation time. Default: now'),
  id: optional(Id, 'UUID. Default: derived from the username'),
});

type Filled = FilledOf<(typeof schema)['properties']>;

const nameOrganization = (username: string): string => `organization:${username.toLowerCase()}`;

function insert(builder: ProjectBuilder, { record, path }: Row<Filled>): Organization | undefined {
  const { sets } = builder;
  const { username } = record;
  const id = builder.toId(record.id, nameOrganization(username));
  const createdAt = builder.toInstant(record.createdAt, builder.now, `${path}.createdAt`);
  const isTaken = findUserByName(sets, username) ?? sets.organizations.by.username.get([username.toLowerCase()]);
  if (isTaken) return builder.reportTaken(`${path}.username`, username);
  if (sets.organizations.get(id) ?? sets.users.get(id)) return builder.reportTaken(`${path}.id`, id);
  const organization = { id, username, createdAt, serial: builder.drawSerial() };
  sets.organizations = sets.organizations.put(organization);
  return organization;
}

export const organizations = defineCollection(
  {
    name: 'organizations',
    title: 'The organizations, which own projects',
    adder: 'organization',
    identity: index<Organization>(asc((record) => record.id)),
    indexes: organizationIndexes,
    schema,
  },
  {
    references: {},
    naming: {
      write: (_sets, { username }) => username,
      find: (sets: Projects, reference) => findOrganization(sets, reference),
      suggest: (sets: Projects, reference, invalid) =>
        didYouMean(reference, [...[...sets.organizations].map(({ username }) => username), ...invalid]),
      aliases: (_sets, reference) => [reference.toLowerCase()],
      alias: ({ username }) => (typeof username === 'string' ? username.toLowerCase() : undefined),
    },
    load: loadEach('organizations', insert, ({ id }) => id),
    insert,
    write: (_names, { serial: _, ...organization }) => ({
      ...organization,
      createdAt: toTimestamp(organization.createdAt),
    }),
    abridge: (writing) => ({
      abridge: ({ username }) => ({ defaults: { id: writing.deriveId(nameOrganization(username)) } }),
    }),
    example: { username: 'analysts' },
    display: (_names, { username }) => username,
    compareAge: (a, b) => a.createdAt - b.createdAt || a.serial - b.serial,
  },
);
