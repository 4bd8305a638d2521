import { type Case, chosen, operation, recorded, specified } from '../case.js';
import { pageWithout, shows, values } from './schemas.js';
import { addVersion, deleteVersion, fields, LIST_VERSIONS, make, READ } from './steps.js';

const TWO = [make(), addVersion('2')];
const without = (version: number) => [...TWO, deleteVersion(version)];

export const deletedVersionCases: readonly Case[] = operation(
  'deleteVersion',
  'DELETE /v1/vals/{val_id}/versions/{version}',
  [
    specified('delete', {
      'deletes: A deleted version is not in the list': [
        [...without(0), LIST_VERSIONS],
        shows(pageWithout({ version: 0 })),
      ],
    }),
    recorded('numbers', {
      'status: The response is a 204 without a body': [without(0), { status: 204, body: 'none' }],
      'numbers: Version 1 keeps its number after version 0 was deleted': [
        [...without(0), `${LIST_VERSIONS}/1`],
        values({ version: 1, code: '2' }),
      ],
      'unknown: A number that no version has is a 404': [[make(), deleteVersion(7)], 404],
      'negative: A negative version is a 400': [[make(), deleteVersion(-1)], 400],
    }),
    chosen('unused-number', {
      'not-again: After version 1 was deleted, the next one is 2': [
        [...without(1), addVersion('3')],
        values({ version: 2 }, 201),
      ],
    }),
    chosen('latest', {
      'latest: After version 1 was deleted, the val is at version 0': [
        [...without(1), READ],
        values({ version: 0, code: fields().code }),
      ],
    }),
    chosen('only', {
      'only: Deleting the only version is a 400': [[make(), deleteVersion(0)], 400],
      'only-stays: The only version is still there': [
        [make(), { send: deleteVersion(0), status: 400 }, `${LIST_VERSIONS}/0`],
        values({ code: fields().code }),
      ],
    }),
    chosen('owner', {
      "of-another: Another user's public val is a 404": [
        [make({ privacy: 'public' }), addVersion('2'), { send: deleteVersion(0), as: 'second' }],
        404,
      ],
    }),
  ],
);
