import { Type } from 'typebox';
import { Page, Paging, PagingQuery, page } from '#engine/api/pagination.js';
import { Choice, uuid } from '#engine/schema/common.js';
import { CursorPaging, pageByTime } from '#vals/lib/cursor.schema.js';
import { API_LIMITS } from '#vals/lib/limits.schema.js';
import { route } from '#vals/lib/route.schema.js';
import { PRIVACIES } from '#vals/service/service.collection.js';
import { getUser } from '#vals/users/users.rules.js';
import { UserPath } from '#vals/users/users.schema.js';
import { searchVals } from './search.rules.js';
import { findValByName } from './val-records.collection.js';
import {
  createVal,
  deleteVal,
  getOwnVal,
  getVisibleVal,
  listDiscoverableVals,
  listVals,
  updateVal,
} from './vals.rules.js';
import {
  BasicVal,
  basicValJson,
  Code,
  ExtendedVal,
  extendedValJson,
  NewCode,
  ValName,
  ValPath,
  ValSettingsBody,
} from './vals.schema.js';
import { addVersion } from './versions.rules.js';

export const valRoutes = [
  route('POST', '/v1/vals', 'Create a new val', {
    id: 'createVal',
    description: 'Only `code` is required. A name that another val of the caller has is a 409.',
    auth: 'required',
    scope: 'val:write',
    body: NewCode,
    response: ExtendedVal,
    errors: [400, 401, 403, 409],
    rules: {
      specification: ['fields: Creates a val from name, code, readme and privacy.'],
      record: [
        'optional: Only code is required. type is accepted as well, and other fields are ignored.',
        'created: The response is 200 with the val, at version 0.',
        'name: Names are unique per author and case-insensitive. The default name is an adjective, a color and an animal.',
        'default: By default the val is a private script.',
      ],
      chosen: ['conflict: A name in use is a 409, as in later APIs of the service.'],
    },
    example: { body: { name: 'greeting', code: "export const greeting = 'Hello';", privacy: 'public' } },
    handle: (context) => extendedValJson(context, createVal(context.state, context.caller, context.body, context.now)),
  }),
  route('PUT', '/v1/vals', 'Create or update a val by name and code', {
    id: 'upsertVal',
    description: 'Adds a version to the val of the caller with this name, or creates the val.',
    auth: 'required',
    scope: 'val:write',
    body: Type.Object({ name: ValName, code: Code }, { title: 'NamedCode' }),
    response: ExtendedVal,
    errors: [400, 401, 403],
    rules: {
      specification: ['upsert: Updates the code of the val with that name, or creates it.'],
      record: [
        'match: Only vals of the caller match, and names are case-insensitive.',
        'status: The response is 200 for an update and for a new val.',
        'update: An update adds a version and leaves the rest of the val unchanged.',
      ],
      chosen: [
        'response: The response is the val, as in earlier documents; later ones do not say.',
        'name: Names follow the rule of POST; otherwise PUT could create vals that POST rejects.',
      ],
    },
    example: { body: { name: 'hello', code: "export const hello = (name: string) => 'Hi, ' + name;" } },
    handle(context) {
      const { state, caller, body, now } = context;
      const { name, code } = body;
      const existing = findValByName(state, caller.id, name);
      const val = existing ? addVersion(state, existing, code, now) : createVal(state, caller, { name, code }, now);
      return extendedValJson(context, val);
    },
  }),
  route('GET', '/v1/vals', 'List public vals, the newest first', {
    id: 'listVals',
    description: 'Returns public vals, and the unlisted and private ones of the caller. Pages are by time.',
    unofficial: true,
    auth: 'optional',
    scope: 'val:read',
    query: Type.Object({
      privacy: Type.Optional(Choice(PRIVACIES, { title: 'Privacy', description: 'Only vals of this privacy' })),
      userId: Type.Optional(uuid('Only vals of this user')),
      ...CursorPaging,
    }),
    response: Page('ValPage', BasicVal),
    errors: [400, 401, 403],
    rules: {
      record: [
        'list: The list has all public vals, and the unlisted and private ones of the caller. The service had it from March to April 2025.',
        'cursor: privacy and userId select vals. Pages are by a cursor.',
      ],
      chosen: [
        'token: No token is needed, as for search. Without one, only public vals are listed.',
        'order: The newest comes first, as in every list. A page begins with the vals of the time of the cursor.',
        'cursor-form: A cursor is a date-time, or a whole `links.next`. Anything else is a 400.',
        'ties: `links.next` has an offset where vals of one time are on two pages. `prev` is absent.',
        'unknown-user: An unknown user has an empty list.',
      ],
    },
    handle(context) {
      const { state, caller, query, links } = context;
      const { privacy, userId: authorId } = query;
      return pageByTime(
        (until) => listDiscoverableVals(state, caller, { privacy, authorId, until }),
        ({ createdAt }) => createdAt,
        query,
        links,
        (val) => basicValJson(context, val),
      );
    },
  }),
  route('GET', '/v1/vals/{val_id}', 'Get a val by id', {
    id: 'getVal',
    finds: 'vals',
    description: 'Only the author can read a private val.',
    auth: 'optional',
    scope: 'val:read',
    params: ValPath,
    response: ExtendedVal,
    errors: [400, 401, 403, 404],
    rules: {
      specification: ['read: Returns a val by its id, with or without a token.'],
      record: ['privacy: Every client can read public and unlisted vals; only the author can read private ones.'],
    },
    handle: (context) => extendedValJson(context, getVisibleVal(context.state, context.params.val_id, context.caller)),
  }),
  route('DELETE', '/v1/vals/{val_id}', 'Delete a val', {
    id: 'deleteVal',
    description: 'Deletes the val with its versions, runs, likes and comments. Its name can be used again.',
    auth: 'required',
    scope: 'val:write',
    params: ValPath,
    errors: [400, 401, 403, 404],
    rules: {
      specification: ['delete: Deletes a val.'],
      record: ['gone: The response is 204, and 404 the second time.', 'name: The name can be used again.'],
      chosen: [
        'parts: Versions, runs, likes and comments of the val are deleted too, since no route leads to them.',
        "owner: Another user's val is a 404, the only error in the documents.",
      ],
    },
    handle: ({ state, caller, params }) => deleteVal(state, getOwnVal(state, params.val_id, caller)),
  }),
  route('PUT', '/v1/vals/{val_id}', 'Change the name, readme, privacy or type of a val', {
    id: 'updateVal',
    description: 'Missing settings stay unchanged. To change the code, create a version.',
    unofficial: true,
    auth: 'required',
    scope: 'val:write',
    params: ValPath,
    body: ValSettingsBody,
    errors: [400, 401, 403, 404, 409],
    rules: {
      record: [
        'optional: Every setting is optional, and missing settings stay unchanged. An empty object is valid.',
        'status: Clients expect exactly a 204.',
        'code: code is ignored, since it has versions.',
      ],
      chosen: [
        'conflict: A name in use by another val of the author is a 409, as with POST.',
        "owner: Another user's val is a 404, as with DELETE.",
      ],
    },
    example: { body: { name: 'welcome', privacy: 'unlisted' } },
    handle({ state, caller, params, body }) {
      updateVal(state, getOwnVal(state, params.val_id, caller), body);
    },
  }),
  route('GET', '/v1/users/{user_id}/vals', 'List public vals of a user, or all vals for the user', {
    id: 'listUserVals',
    description: 'Returns all vals to the user, and the public ones to others, the newest first.',
    unofficial: true,
    auth: 'optional',
    scope: 'val:read',
    params: UserPath,
    query: PagingQuery,
    response: Page('ValPage', BasicVal),
    errors: [400, 401, 403, 404],
    rules: {
      record: ['privacy: Clients see the public vals of a user; the user sees all.'],
      chosen: [
        'order: The newest comes first, as in every list.',
        'unknown-user: An unknown user is a 404, as on the route of the user.',
      ],
    },
    handle(context) {
      const { state, caller, params, query, links } = context;
      const vals = listVals(state, getUser(state, params.user_id), caller);
      return page(vals, query, links, (val) => basicValJson(context, val));
    },
  }),
  route('GET', '/v1/search/vals', 'Search public vals by name, readme and code', {
    id: 'searchVals',
    description: 'Each word must occur in the name, the readme or the code. Equal names come first.',
    unofficial: true,
    auth: 'optional',
    scope: 'val:read',
    query: Type.Object({
      ...Paging,
      query: Type.String({ minLength: 1, maxLength: API_LIMITS.query, description: 'Words to search for' }),
    }),
    response: Page('ValPage', BasicVal),
    errors: [400, 401, 403],
    rules: {
      record: ['public: The search returns public vals only.', 'length: A query has 1 to 512 characters.'],
      chosen: [
        'words: Each word of the query must occur in name, readme or code; case is ignored.',
        'spaces: A query of spaces finds every public val, the newest first: a published program fills itself so.',
        'rank: Results are ranked: equal names, names that begin with the query, names that contain it, readmes, code. The newest of each come first.',
      ],
    },
    example: { query: { query: 'dice' } },
    handle(context) {
      const { state, query, links } = context;
      return page(searchVals(state, query.query), query, links, (val) => basicValJson(context, val));
    },
  }),
];
