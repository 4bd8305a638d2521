import { type Case, chosen, operation, recorded, specified } from '../case.js';
import { extendedVal, having, pageWith, sameAs, shows, values } from './schemas.js';
import { addVersion, agrees, deleteVersion, fields, LIST_VERSIONS, make, READ, send, update } from './steps.js';

const FIRST = `${LIST_VERSIONS}/0`;
const LATEST = 'GET /v1/vals/{val.id}/versions/{val.version}';
const VERSIONS = { all: 'GET /v1/vals/{val.id}/versions', mine: 'GET /v1/vals/{val.id}' };
const PREVIOUS = 'GET /v1/vals/{val.id}/versions/{all.data.1.version}';
/** The keys that all versions of a val share. */
const SHARED = { required: 'id name public privacy type createdAt url author readme likeCount'.split(' ') };
const SETTINGS = { type: 'http', privacy: 'unlisted', readme: '# a' };

export const versionCases: readonly Case[] = [
  ...operation('listVersions', 'GET /v1/vals/{val_id}/versions', [
    specified('list', {
      'of-the-val: A new val has version 0 and no other': [
        [make(), LIST_VERSIONS],
        values({ data: { type: 'array', maxItems: 1, contains: having({ version: 0, val_id: '{made.id}' }) } }),
      ],
    }),
    recorded('pages', {
      'unknown: The versions of an unknown val are a 404': ['GET /v1/vals/{unknown}/versions', 404],
    }),
  ]),
  ...operation('createVersion', 'POST /v1/vals/{val_id}/versions', [
    specified('body', {
      'code: The val has the new code': [[make(), addVersion('2'), READ], values({ code: '2' })],
      'val-id-in-body: valId in the body selects no other val': [
        [make(), addVersion('2', { valId: '{unknown}' })],
        values({ id: '{made.id}' }, 201),
      ],
      'no-code: A body without code is a 400': [[make(), send('POST /v1/vals/{made.id}/versions', {})], 400],
    }),
    specified('added', {
      'in-list: Version 1 is in the list': [
        [make(), addVersion('2'), LIST_VERSIONS],
        shows(pageWith({ version: 1 }), { latestFirst: 'version' }),
      ],
    }),
    recorded('created', {
      'response: The response is 201 with exactly the keys of a val, at version 1': [
        [make(), addVersion('2')],
        shows({ allOf: [extendedVal, having({ version: 1, code: '2', id: '{made.id}' })] }, { status: 201 }),
      ],
    }),
    recorded('settings', {
      'settings-accepted: A body with all settings is accepted': [
        [make(), addVersion('2', { name: '{new.b}', readme: '# b', privacy: 'unlisted', type: 'http' })],
        201,
      ],
    }),
    chosen('settings-kept', {
      'settings: Settings in the body change the val': [
        [make(), addVersion('2', { ...SETTINGS, readme: '# b' })],
        values({ ...SETTINGS, readme: '# b', name: '{made.name}' }, 201),
      ],
      'settings-stay: Settings that the body lacks stay': [[make(SETTINGS), addVersion('2')], values(SETTINGS, 201)],
    }),
    chosen('equal-code', {
      'equal-code: Equal code creates version 1': [[make(), addVersion(fields().code)], values({ version: 1 }, 201)],
    }),
    chosen('owner', {
      "of-another: Another user's public val is a 404": [
        [make({ privacy: 'public' }), addVersion('2', {}, 'second')],
        404,
      ],
    }),
  ]),
  ...operation('getVersion', 'GET /v1/vals/{val_id}/versions/{version}', [
    specified('read', {
      'old: Version 0 has its code after version 1 was added': [
        [make(), addVersion('2'), FIRST],
        values({ version: 0, code: fields().code }),
      ],
    }),
    recorded('shape', {
      'keys: A version has exactly the keys of a val': [
        LATEST,
        shows({ allOf: [extendedVal, having({ id: '{val.id}' })] }),
      ],
      'time: A previous version has its time in the list of versions': agrees(VERSIONS, PREVIOUS, {
        allOf: [extendedVal, having({ version: '{all.data.1.version}', versionCreatedAt: '{all.data.1.createdAt}' })],
      }),
    }),
    recorded('pages', {
      'paging: limit and offset are ignored': [`${LATEST}?limit=10&offset=5`, values({ id: '{val.id}' })],
      'limit-0: limit=0 is a 400': [`${LATEST}?limit=0`, 400],
      'limit-1: limit=1 is accepted': [`${LATEST}?limit=1`, 200],
      'limit-100: limit=100 is accepted': [`${LATEST}?limit=100&offset=0`, 200],
      'limit-101: limit=101 is a 400': [`${LATEST}?limit=101`, 400],
      'offset-negative: offset=-1 is a 400': [`${LATEST}?offset=-1`, 400],
    }),
    recorded('deleted', {
      'deleted: A deleted version is a 404': [[make(), addVersion('2'), deleteVersion(0), FIRST], 404],
      'unknown: A number that no version has is a 404': ['GET /v1/vals/{val.id}/versions/999999', 404],
      'no-number: A version that is not a number is a 400': ['GET /v1/vals/{val.id}/versions/latest', 400],
      'negative: A negative version is a 400': ['GET /v1/vals/{val.id}/versions/-1', 400],
    }),
    chosen('settings', {
      'settings: An old version has the current privacy': [
        [make(), addVersion('2'), update({ privacy: 'unlisted' }), FIRST],
        values({ privacy: 'unlisted' }),
      ],
      'same-val: A previous version has the creation time and settings of the val': agrees(
        VERSIONS,
        PREVIOUS,
        sameAs('mine', SHARED),
      ),
    }),
  ]),
];
