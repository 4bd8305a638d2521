import { nameRequest } from '#engine/api/tool-route.js';
import { formatReasons } from '#engine/lib/reasons.js';
import { toRequestId } from '../criteria.js';
import { remoteCommand } from '../remote.js';

export const explain = remoteCommand({
  args: {
    id: { type: 'string', demandOption: true, describe: 'Id of a request: r17 or 17, last, -2', coerce: toRequestId },
  },
  examples: { '$0 r17': 'why it was refused, and what to change' },
  async run({ id }, { control }) {
    const value = await control.explain({ id });
    const { summary, accepted, change } = value;
    const lines = [
      summary,
      formatReasons(value),
      ...(accepted
        ? [
            `Accepted: ${accepted.id} ${nameRequest(accepted)} ${accepted.status}`,
            ...accepted.differences.map((difference) => `  ${difference}`),
          ]
        : []),
      ...(change === null ? [] : [`Change: ${change}`]),
    ];
    return { value, text: lines.filter(Boolean).join('\n') };
  },
});
