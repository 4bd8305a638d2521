import { Type } from 'typebox';
import { toolFor } from '#engine/api/tool.js';
import { formatValue } from '#engine/lib/messages.js';
import { type Instant, parseInstant } from '#engine/lib/time.js';
import { badRequest } from '#engine/state/errors.js';
import { findBranchByName, getOwner, getOwnerHandle } from '#vals/projects/names.collection.js';
import { type Branch, MAIN, type Project } from '#vals/projects/project-records.collection.js';
import { getProjectByName, getWritableProject } from '#vals/projects/projects.rules.js';
import type { Scope, User } from '#vals/service/service.collection.js';
import { branchNotFound } from './errors.rules.js';
import type { Types } from './route.schema.js';
import type { State } from './state.collection.js';

// The tools call a project a val, as the wire of /v2 does.

export const tool = toolFor<Types, { readonly scope: Scope; readonly writeScope?: Scope }>();

export const Val = Type.String({ description: 'Val as "owner/name"' });
export const BranchName = Type.Optional(Type.String({ description: 'Name of a branch. Default: main' }));
export const Path = Type.String({ description: 'Path of a file, without a leading slash' });
export const limit = (most: number, usual: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: most, description: `At most ${most}. Default: ${usual}` }));
export const Offset = Type.Optional(Type.Integer({ minimum: 0, description: 'How many to skip' }));

/** Reads an argument that is a time. @throws ApiError 400 that names it */
export function toInstant(name: string, text: string | undefined): Instant | undefined {
  const instant = text === undefined ? undefined : parseInstant(text);
  if (text !== undefined && instant === undefined)
    throw badRequest(`${name}: found ${formatValue(text)}; expected a time such as "2026-01-31T12:00:00Z"`);
  return instant;
}

interface Source {
  readonly state: State;
  readonly caller: User;
}

/** Returns a val that the caller may read. @throws ApiError 404, and 400 for a text that is no "owner/name" */
export function getNamedProject({ state, caller }: Source, val: string): Project {
  const [owner = '', name = '', ...rest] = val.split('/');
  if (owner === '' || name === '' || rest.length > 0)
    throw badRequest(`val: found ${formatValue(val)}; expected the owner and the name, such as "ada/site".`);
  return getProjectByName(state, owner, name, caller);
}

/** Returns a val that the caller may change. @throws ApiError as {@link getNamedProject}, and 404 for one of another owner */
export const getOwnProject = (source: Source, val: string): Project =>
  getWritableProject(source.state, getNamedProject(source, val).id, source.caller);

/** Returns a branch by its name. @throws ApiError 404 */
export function getBranchOf(state: State, project: Project, name: string = MAIN): Branch {
  const branch = findBranchByName(state, project.id, name);
  if (!branch) throw branchNotFound(`${toIdentifier(state, project)}@${name}`);
  return branch;
}

/** Names a val as arguments do: `ada/site`. */
export const toIdentifier = (state: State, project: Project): string =>
  `${getOwnerHandle(getOwner(state, project))}/${project.name}`;
