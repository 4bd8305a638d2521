import { sendOperation } from '../control/send.js';
import { isObject } from '../lib/objects.js';
import type { OwnTool } from './own-tool.js';
import { formatResult } from './results.js';

const CHANGE = 'PATCH /_emulator/records/{collection}/{id}';
const DELETE = 'DELETE /_emulator/records/{collection}/{id}';

export const EDIT: OwnTool = {
  name: 'edit',
  description: 'Change or delete a record',
  inputSchema: {
    type: 'object',
    properties: {
      collection: { type: 'string' },
      id: { type: 'string', description: 'Or name: `ada/hello`' },
      change: { type: 'object' },
      delete: { type: 'boolean' },
      sandbox: { type: 'string' },
    },
    required: ['collection', 'id'],
  },
  annotations: { destructiveHint: true },
  async call({ collection, id, change, delete: isDeleted = false }, { url, settings }) {
    const isChanged = isObject(change) && Object.keys(change).length > 0;
    if (isChanged === (isDeleted === true))
      throw new Error('Nothing has changed: expected either change, such as {"privacy":"private"}, or "delete": true.');
    const record = { collection, id };
    const [operation, input] = isChanged ? [CHANGE, { ...change, ...record }] : [DELETE, record];
    return formatResult(await sendOperation(url, operation, input, settings));
  },
};
