import { Type } from 'typebox';
import { Page, PagingQuery, page } from '#engine/api/pagination.js';
import { toTimestamp } from '#engine/lib/time.js';
import { Id, Timestamp, uuid } from '#engine/schema/common.js';
import { record } from '#engine/schema/schema.js';
import { route } from '#vals/lib/route.schema.js';
import type { Version } from '#vals/service/service.collection.js';
import { listVersions } from './val-records.collection.js';
import { getOwnVal, getVisibleVal, updateVal } from './vals.rules.js';
import { ExtendedVal, extendedValJson, NewCode, ValPath } from './vals.schema.js';
import { addVersion, deleteVersion, getVersion } from './versions.rules.js';

const VersionPath = Type.Object({
  val_id: uuid('Id of a val'),
  version: Type.Integer({ minimum: 0, description: 'Number of a version' }),
});

const VersionItem = record('Version', { val_id: Id, version: Type.Integer({ minimum: 0 }), createdAt: Timestamp });

function versionView({ valId, version, createdAt }: Version) {
  return { val_id: valId, version, createdAt: toTimestamp(createdAt) };
}

export const versionRoutes = [
  route('GET', '/v1/vals/{val_id}/versions', 'List versions of a val', {
    id: 'listValVersions',
    description: 'Returns numbers and times, the newest first. Get one version for its code.',
    auth: 'optional',
    scope: 'val:read',
    params: ValPath,
    query: PagingQuery,
    response: Page('VersionPage', VersionItem),
    errors: [400, 401, 403, 404],
    rules: {
      specification: ['list: Versions of a val.'],
      record: [
        'pages: limit and offset are supported, as in every list.',
        'order: The newest comes first, and items have no code.',
        'private: Only private vals require a token.',
      ],
    },
    handle(context) {
      const { state, caller, params, query, links, json } = context;
      const versions = listVersions(state, getVisibleVal(state, params.val_id, caller));
      return page(versions, query, links, (version) => json(versionView, version, context, () => []));
    },
  }),
  route('POST', '/v1/vals/{val_id}/versions', 'Create a new version of a val', {
    id: 'createValVersion',
    description: 'Returns the val at its new version. Settings in the body change the val.',
    auth: 'required',
    scope: 'val:write',
    params: ValPath,
    body: NewCode,
    status: 201,
    response: ExtendedVal,
    errors: [400, 401, 403, 404, 409],
    rules: {
      specification: [
        'body: The body has the new code. The path selects the val; valId in the body is ignored.',
        'added: The new version is added to the list of versions.',
      ],
      record: [
        'created: The response is 201 with the val at its new version.',
        'settings: name, readme, privacy and type are accepted as well.',
      ],
      chosen: [
        'settings-kept: Settings in the body change the val. Missing settings stay unchanged, since editors send only the code.',
        'equal-code: Equal code creates a new version too, since the operation adds to the list. The number is one above the highest one ever used.',
        "owner: Another user's val is a 404, the only error in the documents.",
      ],
    },
    example: { body: { code: "export const hello = (name: string) => 'Hi, ' + name;" } },
    handle(context) {
      const { state, caller, params, body, now } = context;
      const val = updateVal(state, getOwnVal(state, params.val_id, caller), body);
      return extendedValJson(context, addVersion(state, val, body.code, now));
    },
  }),
  route('GET', '/v1/vals/{val_id}/versions/{version}', 'Get one version of a val', {
    id: 'getValVersion',
    description: 'Returns the val with the number, the code and the time of this version.',
    auth: 'optional',
    scope: 'val:read',
    params: VersionPath,
    query: PagingQuery,
    response: ExtendedVal,
    errors: [400, 401, 403, 404],
    rules: {
      specification: ['read: Returns one version by its number.'],
      record: [
        'shape: The response is the val with the number, code and time of the version.',
        'pages: The SDK sends limit and offset, which are checked as in lists, and then ignored.',
        'private: Only private vals require a token.',
        'deleted: A deleted version is a 404.',
      ],
      chosen: ['settings: All other keys come from the current val, since settings belong to the val.'],
    },
    handle(context) {
      const { state, caller, params } = context;
      const val = getVisibleVal(state, params.val_id, caller);
      return extendedValJson(context, val, getVersion(state, val, params.version));
    },
  }),
  route('DELETE', '/v1/vals/{val_id}/versions/{version}', 'Delete one version of a val', {
    id: 'deleteValVersion',
    description: 'Other versions keep their numbers. The only version of a val cannot be deleted.',
    auth: 'required',
    scope: 'val:write',
    params: VersionPath,
    errors: [400, 401, 403, 404],
    rules: {
      specification: ['delete: Deletes one version.'],
      record: ['numbers: The response is 204. The numbers of other versions stay unchanged.'],
      chosen: [
        'unused-number: Numbers are not used again, so a number always means the same code.',
        'latest: After the latest version is deleted, the previous one is the latest.',
        'only: Deleting the only version is a 400, since a val must have code.',
        "owner: Another user's val is a 404, the only error in the documents.",
      ],
    },
    handle: ({ state, caller, params }) =>
      deleteVersion(state, getOwnVal(state, params.val_id, caller), params.version),
  }),
];
