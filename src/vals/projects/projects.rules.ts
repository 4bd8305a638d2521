import type { Instant } from '#engine/lib/time.js';
import { deleteRecord } from '#engine/state/cascades.js';
import { drawId } from '#engine/state/state.js';
import type { Range } from '#engine/store/collection.js';
import { notAuthorized, projectNameTaken, projectNotFound } from '#vals/lib/errors.rules.js';
import type { Draft, State } from '#vals/lib/state.collection.js';
import { getOrganization, isMember } from '#vals/organizations/organizations.rules.js';
import { findUserByName, getHandle, type User } from '#vals/users/users.collection.js';
import type { Privacy } from '#vals/vals/val-records.collection.js';
import { Files, makeTree } from './file-records.collection.js';
import { findOrganization, getOwner, getOwnerHandle } from './names.collection.js';
import { type Branch, MAIN, type Project } from './project-records.collection.js';

/** Whether the caller owns a project, or is in the organization that does. */
const isWritable = (state: State, { ownerId }: Project, caller: User | undefined): boolean =>
  caller !== undefined && (ownerId === caller.id || isMember(state, ownerId, caller));

/** Any caller with the id or the name can read public and unlisted projects. Private ones are for those who can write to them. */
export const isReadable = (state: State, project: Project, caller: User | undefined): boolean =>
  project.privacy !== 'private' || isWritable(state, project, caller);

/** Lists of projects have the public ones, and those that the caller can write to. */
const isDiscoverable = (state: State, project: Project, caller: User): boolean =>
  project.privacy === 'public' || isWritable(state, project, caller);

/** Returns a project that the caller may read. @throws ApiError 404 */
export function getReadableProject(state: State, id: string, caller: User | undefined): Project {
  const project = state.projects.get(id.toLowerCase());
  if (!project || !isReadable(state, project, caller)) throw projectNotFound(id);
  return project;
}

/** Returns a project that the caller may change. @throws ApiError 404, which says so for one that the caller may only read */
export function getWritableProject(state: State, id: string, caller: User): Project {
  const project = getReadableProject(state, id, caller);
  if (!isWritable(state, project, caller)) {
    const name = `${getOwnerHandle(getOwner(state, project))}/${project.name}`;
    throw notAuthorized(`${name} exists, but ${getHandle(caller)} may not change it`);
  }
  return project;
}

/** Returns the project of an owner and a name, which the caller may read. @throws ApiError 404, also for an unknown owner */
export function getProjectByName(state: State, username: string, name: string, caller: User | undefined): Project {
  const handle = username.replace(/^@/, '');
  const owner = findUserByName(state, handle) ?? findOrganization(state, handle);
  const project = owner && findProjectByName(state, owner.id, name);
  if (!project || !isReadable(state, project, caller)) throw projectNotFound(`${handle}/${name}`);
  return project;
}

const findProjectByName = ({ projects }: State | Draft, ownerId: string, name: string): Project | undefined =>
  projects.by.name.get([ownerId, name.toLowerCase()]);

/** Lists the projects of a user, newest first, without those of the organizations of the user. */
export const listOwnProjects = ({ projects }: State, { id }: User): Range<Project> => projects.by.owner.range([id]);

/** Selects projects. All conditions must hold. */
export interface ProjectFilter {
  readonly privacy?: Privacy | undefined;
  readonly ownerId?: string | undefined;
  /** Only projects that were created then or before. */
  readonly until?: Instant | undefined;
}

/** Lists the public projects and those that the caller can write to, newest first. */
export function* listProjects(
  state: State,
  caller: User,
  { privacy, ownerId, until }: ProjectFilter,
): Generator<Project> {
  const { by } = state.projects;
  const found =
    ownerId === undefined ? by.age.range([], { until }) : by.owner.range([ownerId.toLowerCase()], { until });
  for (const project of found) {
    if ((privacy === undefined || project.privacy === privacy) && isDiscoverable(state, project, caller)) yield project;
  }
}

export interface NewProject {
  readonly name: string;
  readonly privacy: Privacy;
  readonly description?: string | undefined;
  /** The organization that owns it. Default: the caller */
  readonly orgId?: string | undefined;
}

/**
 * Creates a project with the branch `main`, without files.
 * @throws ApiError 409 when the owner already has a project of this name, and 404 for an organization of others
 */
export function createProject(draft: Draft, caller: User, settings: NewProject, now: Instant): Project {
  const { name, privacy, description, orgId } = settings;
  const ownerId = orgId === undefined ? caller.id : getOrganization(draft, orgId, caller).id;
  if (findProjectByName(draft, ownerId, name)) throw projectNameTaken();
  const project: Project = {
    id: drawId(draft),
    ownerId,
    name,
    privacy,
    description: description ?? null,
    imageUrl: null,
    createdAt: now,
    serial: draft.nextSerial++,
  };
  const main: Branch = {
    id: drawId(draft),
    projectId: project.id,
    name: MAIN,
    version: 0,
    createdAt: now,
    updatedAt: now,
    forkedBranchId: null,
    serial: draft.nextSerial++,
    files: new Files(makeTree()),
  };
  draft.projects = draft.projects.put(project);
  draft.branches = draft.branches.put(main);
  return project;
}

export interface ProjectUpdate {
  readonly name?: string | undefined;
  readonly privacy?: Privacy | undefined;
  readonly description?: string | undefined;
}

/** Changes a project. Missing keys stay unchanged. @throws ApiError 409 when its owner has another project of the name */
export function updateProject(draft: Draft, project: Project, update: ProjectUpdate): Project {
  const { name = project.name, privacy = project.privacy, description = project.description } = update;
  const twin = findProjectByName(draft, project.ownerId, name);
  if (twin && twin.id !== project.id) throw projectNameTaken();
  const updated: Project = { ...project, name, privacy, description };
  draft.projects = draft.projects.put(updated);
  return updated;
}

/** Deletes a project with its branches, files, versions and environment variables. Its name becomes free. */
export const deleteProject = (draft: Draft, project: Project): void => deleteRecord(draft, 'projects', project);
