import { type Static, Type } from 'typebox';
import { ToolText } from '#engine/api/tool.js';
import { type Instant, toTimestamp } from '#engine/lib/time.js';
import { Choice } from '#engine/schema/common.js';
import { badRequest } from '#engine/state/errors.js';
import { organizationNotFound } from '#vals/lib/errors.rules.js';
import type { State } from '#vals/lib/state.collection.js';
import {
  getNamedProject,
  getOwnProject,
  limit,
  Offset,
  toIdentifier,
  toInstant,
  tool,
  Val,
} from '#vals/lib/tool.tools.js';
import { getOrganization, isMember, listOrganizations } from '#vals/organizations/organizations.rules.js';
import { getHandle, type User } from '#vals/users/users.collection.js';
import { PRIVACIES, type Privacy } from '#vals/vals/val-records.collection.js';
import { getBranch, listBranches } from './branches.rules.js';
import { createFile } from './files.rules.js';
import { FileType, toFileType } from './files.tools.js';
import { findOrganization, getOwner } from './names.collection.js';
import type { Project } from './project-records.collection.js';
import { createProject, deleteProject, listOwnProjects, updateProject } from './projects.rules.js';
import { NewProjectBody } from './projects.schema.js';
import { remixProject } from './remix.rules.js';

const { name: Name, description: Description } = NewProjectBody.properties;
const PrivacyInput = Type.Optional(Choice(PRIVACIES, { description: 'Who can read the source' }));
const Org = Type.Optional(Type.String({ description: 'Handle or id of an organization. Default: your own account' }));

const SITE = 'https://www.val.town/x';

/** The endpoints of each val are public: only a business plan can restrict them. */
const HTTP_PRIVACY = 'public';

function toVal(state: State, project: Project, base: string) {
  const { id, name, description, privacy, createdAt, ownerId } = project;
  const identifier = toIdentifier(state, project);
  return {
    ...{ id, name, identifier, description, privacy, httpPrivacy: HTTP_PRIVACY, createdAt: toTimestamp(createdAt) },
    author: { id: ownerId, username: getOwner(state, project).username },
    links: { self: `${base}/v2/vals/${id}`, html: `${SITE}/${identifier}` },
  };
}

function toDetail(state: State, project: Project) {
  const owner = getOwner(state, project);
  const { name, description, privacy, createdAt } = project;
  const items = Array.from(listBranches(state, project), (branch) => ({
    ...{ name: branch.name, version: branch.version, updatedAt: toTimestamp(branch.updatedAt) },
  }));
  const identifier = toIdentifier(state, project);
  return {
    ...{ identifier, name, description, privacy, httpPrivacy: HTTP_PRIVACY, createdAt: toTimestamp(createdAt) },
    author: { username: owner.username, type: owner.type },
    htmlUrl: `${SITE}/${identifier}`,
    branches: { count: items.length, items },
  };
}

const describe = (detail: ReturnType<typeof toDetail>): string =>
  `${detail.identifier} is a ${detail.privacy} val with ${detail.branches.items
    .map(({ name, version }) => `${name} at version ${version}`)
    .join(', ')}: ${detail.htmlUrl}`;

/** When the code of a val was edited last, on any branch. */
const toEditTime = (state: State, project: Project): Instant =>
  Math.max(...Array.from(listBranches(state, project), ({ updatedAt }) => updatedAt));

/** Returns the id of the organization that a handle or an id names. @throws ApiError 404, also for one of others */
function toOrgId(state: State, reference: string | undefined, caller: User): string | undefined {
  if (reference === undefined || [caller.id, getHandle(caller)].includes(reference)) return undefined;
  const organization = findOrganization(state, reference.replace(/^@/, ''));
  if (!organization) throw organizationNotFound(reference);
  return getOrganization(state, organization.id, caller).id;
}

/** Source: the service's page of limitations has no private and no unlisted vals on the free plan. */
function assertPlan({ tier }: User, privacy: Privacy, isOwn: boolean): void {
  if (isOwn && tier === 'free' && privacy !== 'public')
    throw badRequest(`A val that is ${privacy} requires a paid plan: the free plan has public vals only`);
}

const toDefault = ({ tier }: User, isOwn: boolean): Privacy => (isOwn && tier !== 'pro' ? 'public' : 'private');

const ListInput = Type.Object({
  limit: limit(100, 20),
  offset: Offset,
  sortBy: Type.Optional(Choice(['updated', 'created', 'name'], { description: 'Default: updated' })),
  sortOrder: Type.Optional(Choice(['asc', 'desc'], { description: 'Default: desc, and asc by name' })),
  name: Type.Optional(Type.String({ description: 'Only vals whose name has this text, ignoring case' })),
  updatedAfter: Type.Optional(Type.String({ description: 'Only vals whose code was edited after this time' })),
  updatedBefore: Type.Optional(Type.String({ description: 'Only vals whose code was edited before this time' })),
  org: Org,
  privacy: PrivacyInput,
});

function selectVals(state: State, vals: Iterable<Project>, args: Static<typeof ListInput>): Project[] {
  const { sortBy = 'updated', sortOrder = sortBy === 'name' ? 'asc' : 'desc', privacy } = args;
  const after = toInstant('updatedAfter', args.updatedAfter) ?? Number.NEGATIVE_INFINITY;
  const before = toInstant('updatedBefore', args.updatedBefore) ?? Number.POSITIVE_INFINITY;
  const text = args.name?.toLowerCase() ?? '';
  const found = Array.from(vals, (project) => ({ project, updated: toEditTime(state, project) })).filter(
    ({ project, updated }) =>
      updated > after &&
      updated < before &&
      project.name.toLowerCase().includes(text) &&
      (privacy === undefined || project.privacy === privacy),
  );
  const toKey = ({ project, updated }: (typeof found)[number]): number | string =>
    sortBy === 'name' ? project.name.toLowerCase() : sortBy === 'created' ? project.createdAt : updated;
  const sign = sortOrder === 'asc' ? 1 : -1;
  found.sort((a, b) => {
    const [x, y] = [toKey(a), toKey(b)];
    return sign * (x < y ? -1 : x > y ? 1 : a.project.serial - b.project.serial);
  });
  return found.map(({ project }) => project);
}

export function toPage(
  { state, caller, base }: { readonly state: State; readonly caller: User; readonly base: string },
  vals: readonly Project[],
  { limit: most = 20, offset = 0 }: { readonly limit?: number | undefined; readonly offset?: number | undefined },
) {
  const page = vals.slice(offset, offset + most).map((project) => toVal(state, project, base));
  const user = { id: caller.id, handle: getHandle(caller) };
  return { user, count: page.length, hasMore: vals.length > offset + most, vals: page };
}

export const valTools = [
  tool('list_orgs', 'List your account and the organizations that you are a member of.', {
    input: Type.Object({}),
    scope: 'user:read',
    handle({ state, caller }) {
      const handle = getHandle(caller);
      const own = { id: caller.id, handle, displayName: null, tier: caller.tier, role: 'owner', isPersonal: true };
      const others = Array.from(listOrganizations(state, caller), ({ id, username }) => ({
        ...{ id, handle: username, displayName: null, tier: null },
        role: state.memberships.by.organization.get([id, caller.id])?.role ?? null,
        isPersonal: false,
      }));
      return { user: { id: caller.id, handle }, orgs: [own, ...others] };
    },
  }),
  tool('list_vals', 'List your vals, or those of one of your organizations.', {
    input: ListInput,
    guessed: ['org', 'privacy'],
    scope: 'project:read',
    handle({ state, caller, args, links }) {
      const ownerId = toOrgId(state, args.org, caller) ?? caller.id;
      const vals = selectVals(state, listOwnProjects(state, { ...caller, id: ownerId }), args);
      return toPage({ state, caller, base: links.base }, vals, args);
    },
  }),
  tool('get_val_detail', 'Describe a val: owner, privacy and branches.', {
    input: Type.Object({ val: Val }),
    scope: 'project:read',
    handle({ state, caller, args }) {
      const detail = toDetail(state, getNamedProject({ state, caller }, args.val));
      return new ToolText(detail, describe(detail));
    },
  }),
  tool('create_val', 'Create a val with a branch main, and optionally its first file.', {
    input: Type.Object({
      name: Name,
      description: Description,
      privacy: PrivacyInput,
      org: Org,
      initialFile: Type.Optional(Type.Object({ path: Type.String(), content: Type.String(), fileType: FileType })),
    }),
    guessed: ['name', 'description', 'privacy', 'org', 'initialFile'],
    scope: 'project:write',
    writes: true,
    handle({ state, caller, args, now }) {
      const { name, description, initialFile } = args;
      const orgId = toOrgId(state, args.org, caller);
      const isOwn = orgId === undefined;
      const privacy = args.privacy ?? toDefault(caller, isOwn);
      assertPlan(caller, privacy, isOwn);
      const project = createProject(state, caller, { name, privacy, description, orgId }, now);
      if (initialFile) {
        const { path, content, fileType } = initialFile;
        const type = toFileType(path, fileType);
        createFile(state, getBranch(state, project), path, { type, content }, now);
      }
      return toDetail(state, project);
    },
  }),
  tool('update_val', 'Change the name, description or privacy of a val.', {
    input: Type.Object({ val: Val, privacy: PrivacyInput, name: Type.Optional(Name), description: Description }),
    hints: ['idempotent'],
    guessed: ['name', 'description'],
    scope: 'project:write',
    writes: true,
    handle({ state, caller, args: { val, ...update } }) {
      const project = getOwnProject({ state, caller }, val);
      if (update.privacy !== undefined) assertPlan(caller, update.privacy, !isMember(state, project.ownerId, caller));
      return toDetail(state, updateProject(state, project, update));
    },
  }),
  tool('delete_val', 'Delete a val with its branches, files and environment variables.', {
    input: Type.Object({ val: Val }),
    hints: ['destructive'],
    guessed: ['val'],
    scope: 'project:write',
    writes: true,
    handle({ state, caller, args: { val } }) {
      deleteProject(state, getOwnProject({ state, caller }, val));
      return { val, deleted: true };
    },
  }),
  tool('remix_val', 'Create a val with a copy of the files that main of another val has.', {
    input: Type.Object({ val: Val, name: Type.Optional(Name), privacy: PrivacyInput, org: Org }),
    guessed: ['val', 'name', 'privacy', 'org'],
    scope: 'project:write',
    writes: true,
    handle({ state, caller, args, now }) {
      const source = getNamedProject({ state, caller }, args.val);
      const orgId = toOrgId(state, args.org, caller);
      const privacy = args.privacy ?? toDefault(caller, orgId === undefined);
      assertPlan(caller, privacy, orgId === undefined);
      const { name = source.name } = args;
      return toDetail(state, remixProject(state, source, caller, { name, privacy, orgId }, now));
    },
  }),
];
