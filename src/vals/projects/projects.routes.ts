import { Type } from 'typebox';
import { Page, PagingQuery, page } from '#engine/api/pagination.js';
import { uuid } from '#engine/schema/common.js';
import { CursorPaging, pageByTime } from '#vals/lib/cursor.schema.js';
import { route } from '#vals/lib/route.schema.js';
import {
  createProject,
  deleteProject,
  getProjectByName,
  getReadableProject,
  getWritableProject,
  listOwnProjects,
  listProjects,
} from './projects.rules.js';
import { NewProjectBody, PrivacyFilter, ProjectItem, ProjectPath, projectJson } from './projects.schema.js';

const ProjectAlias = Type.Object({
  username: Type.String({ description: 'Name of a user or an organization, with or without an @' }),
  val_name: Type.String({ description: 'Name of a project' }),
});

const VISIBLE =
  'privacy: Every client can read public and unlisted projects. Its owner can read a private one, and the members of the organization that owns it.';

export const projectRoutes = [
  route('POST', '/v2/vals', 'Create a project', {
    id: 'createProject',
    description: 'The wire calls a project a val. It has the branch `main`, without files.',
    unofficial: true,
    auth: 'required',
    scope: 'project:write',
    body: NewProjectBody,
    response: ProjectItem,
    status: 201,
    errors: [400, 401, 403, 404, 409],
    rules: {
      record: [
        'name: name and privacy are required. A name has 1 to 48 letters, digits, `-` and `_`, and begins with a letter.',
        'description: A description has at most 64 characters.',
        'created: The response is a 201 with the project. The branch `main` exists at once, at version 0.',
        'organization: With orgId, the organization owns it.',
        'conflict: A name that the owner uses is a 409 with `Conflict: Project name already exists`.',
      ],
      chosen: [
        'unique: Names are unique per owner, ignoring case, as those of vals.',
        'member: Every member of an organization may create projects of it. Another organization is a 404.',
      ],
    },
    example: { body: { name: 'weather', privacy: 'public', description: 'Reports of the day' } },
    handle: (context) => projectJson(context, createProject(context.state, context.caller, context.body, context.now)),
  }),
  route('GET', '/v2/vals', 'List projects, the newest first', {
    id: 'listProjects',
    description: 'Returns public projects, and those that the caller can change. Pages are by time.',
    unofficial: true,
    auth: 'required',
    scope: 'project:read',
    query: Type.Object({
      privacy: PrivacyFilter,
      user_id: Type.Optional(uuid('Only projects of this owner')),
      ...CursorPaging,
    }),
    response: Page('ProjectPage', ProjectItem),
    errors: [400, 401, 403],
    rules: {
      record: [
        'list: The list has the public projects, and those of the caller. A token is required.',
        'filters: privacy and user_id select projects.',
        'cursor: Pages are by time: cursor is a date-time.',
      ],
      chosen: [
        'order: The newest comes first, as in every list. A page begins with the projects of the time of the cursor.',
        'cursor-form: A cursor may be a whole `links.next`, since SDK 3 sends one. Anything else is a 400.',
        'ties: `links.next` has an offset where projects of one time are on two pages. `prev` is absent.',
        'owner: Those of the caller include the projects of organizations. An unknown owner has an empty list.',
      ],
    },
    handle(context) {
      const { state, caller, query, links } = context;
      const { privacy, user_id: ownerId } = query;
      return pageByTime(
        (until) => listProjects(state, caller, { privacy, ownerId, until }),
        ({ createdAt }) => createdAt,
        query,
        links,
        (project) => projectJson(context, project),
      );
    },
  }),
  route('GET', '/v2/vals/{val_id}', 'Get a project by id', {
    id: 'getProject',
    finds: 'projects',
    description: 'Only its owner and members of its organization can read a private project.',
    unofficial: true,
    auth: 'optional',
    scope: 'project:read',
    params: ProjectPath,
    response: ProjectItem,
    errors: [400, 401, 403, 404],
    rules: {
      record: ['read: The response is the project, without files and versions. An unknown id is a 404.'],
      chosen: [VISIBLE],
    },
    handle: (context) => projectJson(context, getReadableProject(context.state, context.params.val_id, context.caller)),
  }),
  route('DELETE', '/v2/vals/{val_id}', 'Delete a project', {
    id: 'deleteProject',
    description: 'Deletes the project with all that belongs to it. Its name can be used again.',
    unofficial: true,
    auth: 'required',
    scope: 'project:write',
    params: ProjectPath,
    errors: [400, 401, 403, 404],
    rules: {
      record: ['gone: The response is 204, and 404 the second time.'],
      chosen: [
        'parts: Branches, files, versions, environment variables, tokens, blobs, databases and seeded responses are deleted too.',
        "owner: Another owner's project is a 404 with `Not authorized` in its message, as for every change.",
      ],
    },
    handle: ({ state, caller, params }) => deleteProject(state, getWritableProject(state, params.val_id, caller)),
  }),
  route('GET', '/v2/me/vals', 'List the projects of the current user', {
    id: 'listMyProjects',
    description: 'Returns all projects that the caller owns, the newest first.',
    unofficial: true,
    auth: 'required',
    scope: 'project:read',
    query: PagingQuery,
    response: Page('ProjectPage', ProjectItem),
    errors: [400, 401, 403],
    rules: {
      record: ['list: The list has the projects of the caller, by limit and offset.'],
      chosen: [
        'order: The newest comes first, as in every list.',
        'organization: Projects of organizations are not listed.',
      ],
    },
    handle: (context) =>
      page(listOwnProjects(context.state, context.caller), context.query, context.links, (project) =>
        projectJson(context, project),
      ),
  }),
  route('GET', '/v2/alias/vals/{username}/{val_name}', 'Get a project by owner and name', {
    id: 'getProjectByAlias',
    description: 'Names are case-insensitive. The owner is a user or an organization.',
    unofficial: true,
    auth: 'optional',
    scope: 'project:read',
    params: ProjectAlias,
    response: ProjectItem,
    errors: [401, 403, 404],
    rules: {
      record: ['same: The response is the same as by id. A name that no project has is a 404.'],
      chosen: [
        VISIBLE,
        'case: Names are case-insensitive, and an @ before the owner is ignored, as for vals.',
        'unknown-owner: An unknown owner is the same 404 as an unknown project.',
      ],
    },
    handle: (context) => {
      const { state, params, caller } = context;
      return projectJson(context, getProjectByName(state, params.username, params.val_name, caller));
    },
  }),
];
