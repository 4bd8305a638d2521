import { sendOperation } from '../control/send.js';
import { isObject } from '../lib/objects.js';
import type { OwnTool } from './own-tool.js';
import { formatResult } from './results.js';

const EXPECT = 'POST /_emulator/requests/expect';
const EXPECT_SEQUENCE = 'POST /_emulator/requests/expect-sequence';

export const EXPECT_REQUESTS: OwnTool = {
  name: 'expect',
  description:
    'Assert requests in this order; an error has the near misses. Example: {"steps":["POST /v1/vals",{"status":200}]}',
  inputSchema: {
    type: 'object',
    properties: {
      steps: {
        type: 'array',
        items: { type: ['string', 'object'] },
        description: 'Routes, or criteria of `requests`',
      },
      times: { type: 'integer', description: 'Of one step. Default: at least one' },
      sandbox: { type: 'string' },
    },
    required: ['steps'],
  },
  annotations: { readOnlyHint: true },
  async call({ times, ...input }, { url, settings }) {
    const [step, ...others] = Array.isArray(input.steps) ? input.steps : [];
    const criteria = typeof step === 'string' ? { route: step } : step;
    const isSingle = others.length === 0 && isObject(criteria) && (times !== undefined || 'route' in criteria);
    if (!isSingle && times !== undefined) throw new Error('times: found with several steps; expected one step.');
    await (isSingle
      ? sendOperation(url, EXPECT, { ...criteria, ...(times !== undefined && { times }) }, settings)
      : sendOperation(url, EXPECT_SEQUENCE, input, settings));
    return formatResult(undefined);
  },
};
