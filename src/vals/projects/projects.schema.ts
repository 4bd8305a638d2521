import { type TSchema, Type } from 'typebox';
import { toTimestamp } from '#engine/lib/time.js';
import { Choice, Id, Nullable, Timestamp, Url, uuid } from '#engine/schema/common.js';
import { record } from '#engine/schema/schema.js';
import { SENDER_DOMAIN } from '#vals/emails/emails.rules.js';
import { API_LIMITS } from '#vals/lib/limits.schema.js';
import type { Context } from '#vals/lib/route.schema.js';
import { type Membership, type Organization, ROLES } from '#vals/organizations/organization-records.collection.js';
import type { User } from '#vals/users/users.collection.js';
import { Author, authorView, OwnerType } from '#vals/users/users.schema.js';
import { PRIVACIES } from '#vals/vals/val-records.collection.js';
import { FILE_TYPES, type FileFields, getFields, type ProjectFile } from './file-records.collection.js';
import { LONGEST_FILE } from './files.collection.js';
import { getOwner, getOwnerHandle } from './names.collection.js';
import type { Branch, EnvironmentVariable, Project } from './project-records.collection.js';

// The wire calls a project a val.

export const ProjectPath = Type.Object({ val_id: uuid('Id of a project') });
export const BranchPath = Type.Object({ ...ProjectPath.properties, branch_id: uuid('Id of a branch') });
export const VariablePath = Type.Object({
  ...ProjectPath.properties,
  key: Type.String({ minLength: 1, description: 'Key of an environment variable' }),
});

const Privacy = Choice(PRIVACIES, { title: 'Privacy' });

export const PrivacyFilter = Type.Optional(
  Choice(PRIVACIES, { title: 'Privacy', description: 'Only projects of this privacy' }),
);

export const NewProjectBody = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: API_LIMITS.name,
      pattern: '^[a-zA-Z][a-zA-Z0-9\\-_]*$',
      description: 'Unique among the projects of its owner, ignoring case',
    }),
    privacy: Privacy,
    description: Type.Optional(Type.String({ maxLength: API_LIMITS.projectDescription })),
    orgId: Type.Optional(uuid('Id of the organization that owns it. Default: the caller owns it')),
  },
  { title: 'NewProject' },
);

const name = () =>
  Type.String({ minLength: 1, maxLength: API_LIMITS.name, pattern: '^[a-zA-Z0-9\\$\\[\\]\\(\\)\\-_.]+$' });

export const NewBranchBody = Type.Object(
  { name: name(), branchId: Type.Optional(uuid('Id of the branch to fork. Default: `main`')) },
  { title: 'NewBranch' },
);

const Text = Type.String({ maxLength: LONGEST_FILE });
/** The types come first, since a check of the content may coerce it. */
export const NewFileBody = Type.Union(
  [
    Type.Object({ type: Choice(FILE_TYPES, { title: 'TextFileType' }), content: Text }),
    Type.Object({ type: Type.Literal('directory'), content: Type.Optional(Type.Null()) }),
  ],
  { title: 'NewFile' },
);
const fileFields = {
  type: Choice([...FILE_TYPES, 'directory'], { title: 'FileType' }),
} satisfies Record<keyof FileFields, TSchema>;
export const FileUpdateBody = Type.Object(
  {
    content: Type.Optional(Text),
    ...({ type: Type.Optional(fileFields.type) } satisfies Record<keyof FileFields, TSchema>),
    name: Type.Optional(name()),
    parent_path: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Path of a directory. Null: the root' }),
    ),
  },
  { title: 'FileUpdate' },
);

const inBranch = { branch_id: Type.Optional(uuid('Id of a branch. Default: `main`')) };
const path = (description: string) => ({ path: Type.String({ description }) });
const atVersion = {
  version: Type.Optional(Type.Integer({ minimum: 0, description: 'Version of the branch. Default: the latest one' })),
};
const recursive = (description: string) => ({ recursive: Type.Boolean({ default: false, description }) });

export const FileQuery = Type.Object({ ...path('Path of a file or directory: `src/main.ts`'), ...inBranch });
export const FileListQuery = {
  ...path('Path of a directory or file. Empty: the root'),
  ...recursive('Whether to list what is in the directories too'),
  ...inBranch,
  ...atVersion,
};
export const FileContentQuery = Type.Object({ ...path('Path of a file'), ...inBranch, ...atVersion });
export const FileDeletionQuery = Type.Object({
  ...path('Path of a file or directory. Empty: all files'),
  ...recursive('Whether to delete what is in a directory too'),
  ...inBranch,
});

const variable = {
  value: Type.String({ maxLength: API_LIMITS.variable, writeOnly: true, description: 'Never returned' }),
  description: Type.Optional(Type.String({ maxLength: API_LIMITS.variableDescription })),
};
export const NewVariableBody = Type.Object(
  {
    key: Type.String({ minLength: 1, maxLength: API_LIMITS.variable, pattern: '^[A-Za-z_][A-Z0-9a-z_]*$' }),
    ...variable,
  },
  { title: 'NewEnvironmentVariable' },
);
export const VariableBody = Type.Object(variable, { title: 'EnvironmentVariableUpdate' });

export const ProjectItem = record('Project', {
  name: Type.String(),
  id: Id,
  createdAt: Timestamp,
  privacy: Privacy,
  author: record('ProjectOwner', { type: OwnerType, id: Id, username: Nullable(Type.String()) }),
  imageUrl: Nullable(Url),
  description: Nullable(Type.String()),
  links: record('ProjectLinks', { self: Url, html: Url }),
});

export const BranchItem = record('Branch', {
  name: Type.String(),
  id: Id,
  version: Type.Integer({ minimum: 0, description: 'Number of changes since the branch was created' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  forkedBranchId: Nullable(Id),
  links: record('BranchLinks', { self: Url, html: Url }),
});

export const FileItem = record('ProjectFile', {
  name: Type.String(),
  id: Id,
  path: Type.String(),
  version: Type.Integer({ minimum: 0, description: 'Version of the branch with its last change' }),
  updatedAt: Timestamp,
  ...fileFields,
  links: record('FileLinks', {
    self: Url,
    html: Url,
    module: Type.String({ format: 'uri', description: 'The address for imports' }),
    endpoint: Type.Optional(Type.String({ format: 'uri', description: 'The endpoint of a file of the type http' })),
    email: Type.Optional(Type.String({ description: 'The address of a file of the type email' })),
  }),
});

export const VariableItem = record('EnvironmentVariable', {
  key: Type.String(),
  description: Nullable(Type.String()),
  updatedAt: Nullable(Timestamp),
  createdAt: Timestamp,
});

export const OrganizationItem = record('Organization', { username: Type.String(), id: Id });

export const MembershipItem = record('Membership', {
  id: Id,
  role: Nullable(Choice(ROLES, { title: 'Role' })),
  user: Author,
});

type ViewContext = Pick<Context, 'json' | 'links' | 'state'>;
type OwnerKind = 'user' | 'org';

const SITE = 'https://www.val.town/x';

const projectView = (project: Project, type: OwnerKind, username: string | null, base: string) => ({
  name: project.name,
  id: project.id,
  createdAt: toTimestamp(project.createdAt),
  privacy: project.privacy,
  author: { type, id: project.ownerId, username },
  imageUrl: project.imageUrl,
  description: project.description,
  links: {
    self: `${base}/v2/vals/${project.id}`,
    html: `${SITE}/${username ?? project.ownerId}/${project.name}`,
  },
});

export const projectJson = (context: ViewContext, project: Project) =>
  context.json(projectView, project, context, () => {
    const { type, username } = getOwner(context.state, project);
    return [type, username, context.links.base];
  });

const branchView = (branch: Branch, site: string, base: string) => ({
  name: branch.name,
  id: branch.id,
  version: branch.version,
  createdAt: toTimestamp(branch.createdAt),
  updatedAt: toTimestamp(branch.updatedAt),
  forkedBranchId: branch.forkedBranchId,
  links: {
    self: `${base}/v2/vals/${branch.projectId}/branches/${branch.id}`,
    html: `${site}/branch/${encodeURIComponent(branch.name)}`,
  },
});

/** The handle of an owner and the name of a project, as addresses have them. */
function getSlug(context: ViewContext, project: Project): string {
  return `${getOwnerHandle(getOwner(context.state, project))}/${project.name}`;
}

export const branchJson = (context: ViewContext, project: Project, branch: Branch) =>
  context.json(branchView, branch, context, () => [`${SITE}/${getSlug(context, project)}`, context.links.base]);

/** The addresses of the endpoint and the mailbox of a file, which its type decides. */
function endpointsOf({ id, type }: ProjectFile, owner: string): { endpoint?: string; email?: string } {
  if (type !== 'http' && type !== 'email') return {};
  const name = id.replaceAll('-', '');
  return type === 'http'
    ? { endpoint: `https://${owner}--${name}.web.val.run/`.toLowerCase() }
    : { email: `${owner}.${name}@${SENDER_DOMAIN}`.toLowerCase() };
}

/**
 * Makes what renders the files of a branch. Branches share files, so no cache has them.
 * @param version of the branch that was read
 */
export function filesOf(context: ViewContext, project: Project, branch: Branch, version = branch.version) {
  const slug = getSlug(context, project);
  const [owner = ''] = slug.split('/');
  const name = encodeURIComponent(branch.name);
  const self = `${context.links.base}/v2/files/`;
  const html = `${SITE}/${slug}/branch/${name}/code/`;
  const module = `https://esm.town/v/${slug}@${version}-${name}/`;
  return (file: ProjectFile) => {
    const path = encodeURIComponent(file.path).replaceAll('%2F', '/');
    return {
      name: file.path.slice(file.path.lastIndexOf('/') + 1),
      id: file.id,
      path: file.path,
      version: file.version,
      updatedAt: toTimestamp(file.updatedAt),
      ...getFields(file),
      links: { self: self + file.id, html: html + path, module: module + path, ...endpointsOf(file, owner) },
    };
  };
}

export const variableView = ({ key, description, updatedAt, createdAt }: EnvironmentVariable) => ({
  key,
  description,
  updatedAt: toTimestamp(updatedAt),
  createdAt: toTimestamp(createdAt),
});

export const organizationView = ({ username, id }: Organization) => ({ username, id });

export const membershipView = ({ id, role }: Membership, user: User) => ({ id, role, user: authorView(user) });
