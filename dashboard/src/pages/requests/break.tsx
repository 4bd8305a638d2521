import { control } from '../../lib/api.js';
import { disarm } from '../../lib/faults.js';
import type { RequestSummary } from '../../lib/types.js';
import { ActionButton } from '../../ui/elements.js';
import { toast } from '../../ui/toast.js';

/** Requests that a fault of one click disturbs. */
const TIMES = 3;

/** What one click does to the next requests of a route. */
const BREAKS = [
  { title: `503 ×${TIMES}`, effect: 'get a 503', fields: { status: 503 } },
  { title: `2 s ×${TIMES}`, effect: 'wait for 2 s', fields: { delay: 2_000 } },
  { title: `Reset ×${TIMES}`, effect: 'are reset', fields: { reset: true as const } },
] as const;

/** Arms a fault for requests like one: of its route and user. */
async function breakLike({ route, user }: RequestSummary, { effect, fields }: (typeof BREAKS)[number]): Promise<void> {
  const fault = await control.armFault({ ...fields, route: route ?? '*', user: user ?? undefined, times: TIMES });
  const whose = user === null ? '' : ` by ${user}`;
  toast(`The next ${TIMES} ${route}${whose} ${effect}.`, 'success', disarm([fault]));
}

/** Buttons that break the next requests like one. */
export const BreakButtons = ({ request }: { readonly request: RequestSummary }) => (
  <>
    {BREAKS.map((each) => (
      <ActionButton
        key={each.title}
        icon="faults"
        label={`${each.title}: the next ${TIMES} like it ${each.effect}`}
        action={() => breakLike(request, each)}
      >
        {each.title}
      </ActionButton>
    ))}
  </>
);
