import { Type } from 'typebox';
import type { Builder } from '#engine/definition/context.js';
import { wholeNumber } from '#engine/definition/parts.js';
import { didYouMean, formatValue } from '#engine/lib/messages.js';
import type { Organization } from '#vals/organizations/organization-records.collection.js';
import { findUserByReference, getHandle, type User } from '#vals/users/users.collection.js';
import { LARGEST_VERSION } from '#vals/vals/val-records.collection.js';
import type { Branch, Owner, Project, Projects } from './project-records.collection.js';

// How fixtures name organizations, projects and branches.

export const ProjectName = Type.String({
  pattern: '^[a-zA-Z][a-zA-Z0-9\\-_]{0,47}$',
  expected: 'a name of 1 to 48 letters, digits, - and _ that begins with a letter',
});
export const BranchName = Type.String({
  pattern: '^[a-zA-Z0-9$\\[\\]()\\-_.]{1,48}$',
  expected: 'a name of 1 to 48 letters, digits and $[]().-_',
});
export const OrganizationRef = Type.String({ expected: 'a username such as "acme", or the id of an organization' });
export const OwnerRef = Type.String({ expected: 'the username or id of a user or an organization' });
export const ProjectRef = Type.String({ expected: 'a project such as "ada/site", or a project id' });
export const BranchRef = Type.String({ expected: 'a branch such as "ada/site@main", or a branch id' });
export const BranchVersion = wholeNumber(0, LARGEST_VERSION);

/** Makes records of fixtures that name projects. */
export interface ProjectBuilder extends Builder {
  readonly sets: Projects;
  find(collection: 'users', reference: string, path: string): User | undefined;
  find(collection: 'organizations', reference: string, path: string): Organization | undefined;
  find(collection: 'projects', reference: string, path: string): Project | undefined;
  find(collection: 'branches', reference: string, path: string): Branch | undefined;
}

/** Finds an organization by username or id, ignoring case. */
export const findOrganization = (
  { organizations }: Readonly<Pick<Projects, 'organizations'>>,
  reference: string,
): Organization | undefined =>
  organizations.get(reference.toLowerCase()) ?? organizations.by.username.get([reference.toLowerCase()]);

/** Finds an owner of projects by username or id, ignoring case. */
function findOwner(sets: Readonly<Projects>, reference: string): Owner | undefined {
  const user = findUserByReference(sets, reference);
  if (user) return { type: 'user', ...user };
  const organization = findOrganization(sets, reference);
  return organization && { type: 'org', ...organization };
}

/** Returns the owner of a project. Deleting an owner deletes its projects, so a project without one is a defect. */
export function getOwner(sets: Readonly<Projects>, { ownerId }: Pick<Project, 'ownerId'>): Owner {
  const owner = findOwner(sets, ownerId);
  if (!owner) throw new Error(`no owner ${ownerId}`);
  return owner;
}

/** Returns the name of an owner in fixtures: the id of a user without a username. */
export const getOwnerHandle = (owner: Owner): string => (owner.type === 'user' ? getHandle(owner) : owner.username);

/** Finds the owner that a record names, and reports an unknown one. @param isInvalid whether it may have errors */
export function expectOwner(
  builder: ProjectBuilder,
  reference: string,
  path: string,
  isInvalid: boolean,
): Owner | undefined {
  const { sets } = builder;
  const owner = findOwner(sets, reference);
  if (owner || isInvalid) return owner;
  const names = [...sets.users, ...sets.organizations].flatMap(({ username }) => username ?? []);
  const problem = `there is no user or organization ${formatValue(reference)}.`;
  return builder.report(path, problem + didYouMean(reference, names));
}

/** Names a project as fixtures do: `ada/site`, or by its id if its owner has no username. */
export function writeProject(sets: Readonly<Projects>, project: Project): string {
  const { username } = getOwner(sets, project);
  return username === null ? project.id : `${username}/${project.name}`;
}

/** Splits a reference into the owner's id and the name, in lower case. A reference by id is returned alone. */
export function splitProject(sets: Readonly<Projects>, reference: string): [string, string?] {
  const text = reference.toLowerCase().replace(/^@/, '');
  const slash = text.indexOf('/');
  if (slash < 0) return [text];
  const owner = text.slice(0, slash);
  return [findOwner(sets, owner)?.id ?? owner, text.slice(slash + 1)];
}

/** Finds a project by `ada/site` or by its id, ignoring case. */
export function findProject(sets: Readonly<Projects>, reference: string): Project | undefined {
  const [first, name] = splitProject(sets, reference);
  return name === undefined ? sets.projects.get(first) : sets.projects.by.name.get([first, name]);
}

/** Names a branch as fixtures do: `ada/site@main`. */
export function writeBranch(sets: Readonly<Projects>, { projectId, name }: Branch): string {
  const project = sets.projects.get(projectId);
  if (!project) throw new Error(`no project ${projectId}`);
  return `${writeProject(sets, project)}@${name}`;
}

/** Splits a reference into the project and the name of the branch. A reference by id is returned alone. */
export function splitBranch(reference: string): [string, string?] {
  const at = reference.lastIndexOf('@');
  return at > 0 ? [reference.slice(0, at), reference.slice(at + 1)] : [reference];
}

/** Finds a branch of a project by its name, whose case counts. */
export const findBranchByName = ({ branches }: Readonly<Projects>, projectId: string, name: string) =>
  branches.by.name.get([projectId, name]);

/** Finds a branch by `ada/site@main` or by its id. */
export function findBranch(sets: Readonly<Projects>, reference: string): Branch | undefined {
  const [first, name] = splitBranch(reference);
  if (name === undefined) return sets.branches.get(first.toLowerCase());
  const project = findProject(sets, first);
  return project && findBranchByName(sets, project.id, name);
}
