import { type Case, chosen, operation, recorded, specified } from '../case.js';
import { addVersion, fields, make } from './new-val.js';
import { having, pageWithout } from './schemas.js';

export const deletedVersionCases: readonly Case[] = [
  ...operation('deleteVersion', 'DELETE /v1/vals/{val_id}/versions/{version}', [
    specified('Deletes one version.', {
      id: 'deletes',
      title: 'A deleted version is not in the list',
      level: 'write',
      arrange: [make(), addVersion('2'), { send: 'DELETE /v1/vals/{made.id}/versions/0' }],
      act: 'GET /v1/vals/{made.id}/versions',
      expect: { status: 200, body: pageWithout({ version: 0 }) },
    }),
    recorded(
      'The response is 204. The numbers of other versions stay unchanged.',
      {
        id: 'status',
        title: 'The response is a 204 without a body',
        level: 'write',
        arrange: [make(), addVersion('2')],
        act: 'DELETE /v1/vals/{made.id}/versions/0',
        expect: { status: 204, body: 'none' },
      },
      {
        id: 'numbers',
        title: 'Version 1 keeps its number after version 0 was deleted',
        level: 'write',
        arrange: [make(), addVersion('2'), { send: 'DELETE /v1/vals/{made.id}/versions/0' }],
        act: 'GET /v1/vals/{made.id}/versions/1',
        expect: { status: 200, body: having({ version: 1, code: '2' }) },
      },
      {
        id: 'unknown',
        title: 'A number that no version has is a 404',
        level: 'write',
        arrange: [make()],
        act: 'DELETE /v1/vals/{made.id}/versions/7',
        expect: { status: 404 },
      },
    ),
    chosen('Numbers are not used again, so a number always means the same code.', {
      id: 'not-again',
      title: 'After version 1 was deleted, the next one is 2',
      level: 'write',
      arrange: [make(), addVersion('2'), { send: 'DELETE /v1/vals/{made.id}/versions/1' }],
      act: addVersion('3'),
      expect: { status: 201, body: having({ version: 2 }) },
    }),
    chosen('After the latest version is deleted, the previous one is the latest.', {
      id: 'latest',
      title: 'After version 1 was deleted, the val is at version 0',
      level: 'write',
      arrange: [make(), addVersion('2'), { send: 'DELETE /v1/vals/{made.id}/versions/1' }],
      act: 'GET /v1/vals/{made.id}',
      expect: { status: 200, body: having({ version: 0, code: 'export const a = 1;' }) },
    }),
    chosen(
      'Deleting the only version is a 400, since a val must have code.',
      {
        id: 'only',
        title: 'Deleting the only version is a 400',
        level: 'write',
        arrange: [make()],
        act: 'DELETE /v1/vals/{made.id}/versions/0',
        expect: { status: 400 },
      },
      {
        id: 'only-stays',
        title: 'The only version is still there',
        level: 'write',
        arrange: [make(), { send: 'DELETE /v1/vals/{made.id}/versions/0', status: 400 }],
        act: 'GET /v1/vals/{made.id}/versions/0',
        expect: { status: 200, body: having({ code: fields().code }) },
      },
    ),
    chosen("Another user's val is a 404, the only error in the documents.", {
      id: 'of-another',
      title: "Another user's public val is a 404",
      level: 'write',
      needs: ['second'],
      arrange: [make({ privacy: 'public' }), addVersion('2')],
      act: { send: 'DELETE /v1/vals/{made.id}/versions/0', as: 'second' },
      expect: { status: 404 },
    }),
  ]),
];
