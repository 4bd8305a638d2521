import { type Static, Type } from 'typebox';
import { controlRoute, forPage } from '#engine/control/route.js';
import { StateNames } from '#engine/fixtures/names.js';
import { NotFoundError } from '#engine/lib/errors.js';
import { formatValue } from '#engine/lib/messages.js';
import { AtQuery } from '#engine/sandbox/history-entries.js';
import { record } from '#engine/schema/schema.js';
import { DataOwnerNames } from '#vals/lib/data-owner-names.control.js';
import { getValsStateAt } from '#vals/lib/state-at.control.js';
import { blobs } from './blobs.collection.js';

const blobContent = record('BlobContent', {
  ...DataOwnerNames,
  key: Type.String(),
  text: Type.Optional(Type.String({ description: 'The content, if it is text in UTF-8' })),
  base64: Type.Optional(Type.String({ description: 'The content, if it is not' })),
  createdAt: Type.String({ format: 'date-time', description: 'When it was stored last' }),
});
export interface BlobContent extends Static<typeof blobContent> {}
const BlobContent = Type.Unsafe<BlobContent>(blobContent);

export const blobRoutes = [
  forPage(
    controlRoute('GET', '/_emulator/blobs/{id}', 'Get a blob with its content, now or after a commit', {
      id: 'getBlobContent',
      params: Type.Object({ id: Type.String({ description: 'Id of a blob, as a list of records has it' }) }),
      query: AtQuery,
      response: BlobContent,
      errors: [400, 403, 404],
      handle({ sandbox, params: { id }, query: { at } }) {
        const { state } = getValsStateAt(sandbox, at);
        // A key may have colons.
        const [ownerId = '', key = ''] = id.split(/:(.*)/s);
        const blob = state.blobs.get(ownerId, key);
        if (blob) return blobs.write(new StateNames(state), blob);
        throw new NotFoundError(`There is no blob ${formatValue(id)}.`);
      },
    }),
  ),
];
