import type { Names, Row } from '#engine/definition/context.js';
import { optional } from '#engine/definition/parts.js';
import { type ProjectBuilder, ProjectRef } from '#vals/projects/names.collection.js';
import { UserRef } from '#vals/users/users.collection.js';

/** Whose a blob or a database is: of an account or of a project. */
export type DataOwner =
  | { readonly userId: string; readonly projectId?: undefined }
  | { readonly userId?: undefined; readonly projectId: string };

/** Returns the id of an owner. No user has the id of a project. */
export const getOwnerId = (owner: DataOwner): string => owner.projectId ?? owner.userId;

/** The keys of a fixture that say whose it is. */
export const dataOwner = {
  user: optional(UserRef, 'Username or id of the user'),
  project: optional(ProjectRef, 'Instead of user: the project whose it is, such as ada/site, or its id'),
};

/** The same rule in JSON Schema. */
export const dataOwnerRules = { oneOf: [{ required: ['user'] }, { required: ['project'] }] };

interface OwnedFixture {
  readonly user?: string | undefined;
  readonly project?: string | undefined;
}

/** Finds whose the record of a fixture is. Reports an unknown owner, none, and two. */
export function expectDataOwner(
  builder: Pick<ProjectBuilder, 'find' | 'report'>,
  { record: { user, project }, path }: Row<OwnedFixture>,
): DataOwner | undefined {
  if (user !== undefined && project !== undefined) return builder.report(path, 'expected one of user and project.');
  if (user === undefined) {
    if (project === undefined) return builder.report(path, 'found no user; expected a user or a project.');
    const projectId = builder.find('projects', project, `${path}.project`)?.id;
    return projectId === undefined ? undefined : { projectId };
  }
  const userId = builder.find('users', user, `${path}.user`)?.id;
  return userId === undefined ? undefined : { userId };
}

/** The collections that a record with an owner refers to, whose identity begins with the id of the owner. */
export const dataOwnerReferences = <R extends DataOwner>() => {
  const find = (records: { range(id: string): Iterable<R> }, id: string) => records.range(id);
  return {
    user: { to: 'users', id: ({ userId }: R) => userId, find },
    project: { to: 'projects', id: ({ projectId }: R) => projectId, find },
  };
};

/** Writes whose a record is, as a fixture does. */
export const writeDataOwner = (names: Names, owner: DataOwner): { user?: string; project?: string } =>
  owner.projectId === undefined
    ? { user: names.of('users', owner.userId) }
    : { project: names.of('projects', owner.projectId) };

/** Names the owner of a record: `ada`, `ada/site`. */
export const nameDataOwner = (names: Names, owner: DataOwner): string =>
  Object.values(writeDataOwner(names, owner)).join();
