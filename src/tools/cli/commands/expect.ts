import { formatCount } from '#engine/lib/text.js';
import { fail, flag } from '../command.js';
import { criteriaFlags, parseInteger, pickContent, pickPlain } from '../criteria.js';
import { remoteCommand } from '../remote.js';
import { rethrowAsAssertion } from '../rethrow.js';

const MISSING_ROUTE = 'Missing argument: [route..]. Name a route';

export const expect = remoteCommand({
  args: {
    route: {
      type: 'string',
      array: true,
      default: [],
      describe: 'POST /v1/vals, GET /v1/vals/{val_id}, also with real ids; several in their order',
    },
  },
  flags: {
    times: {
      ...flag('Exact number of these requests (default: at least one)'),
      coerce: parseInteger('times', 'a number of requests, at least 0', 0),
    },
    only: { type: 'boolean', describe: 'Also expect no request that no expectation has matched' },
    ...criteriaFlags,
  },
  examples: {
    '$0 POST /v1/vals': 'exit code 0 if there was one, else 1 and the near misses',
    '$0 POST /v1/vals --times 2 --user ada': 'exactly two, of this user',
    '$0 POST /v1/vals --body \'{"name":"report"}\'': 'with this in the body',
    '$0 DELETE /v1/vals/{val_id} --times 0': 'none',
    '$0 POST /v1/vals GET /v1/me': 'in this order, others between them allowed',
    '$0 --only': 'no request but those that earlier commands expected',
  },
  async run({ route: routes, times, only, ...input }, { control }) {
    const [route, second] = routes;
    const criteria = { ...pickPlain(input), ...pickContent(input) };
    const isNarrowed = [times, ...Object.values(criteria)].some((each) => each !== undefined);
    if (route === undefined && isNarrowed) fail(`${MISSING_ROUTE}: the other flags narrow it.`);
    if (route === undefined && !only) fail(`${MISSING_ROUTE}, or use --only.`);
    if (second !== undefined && times !== undefined) fail('--times: use it with one route.');
    const checks = [
      second !== undefined &&
        (() => control.expectSequence({ steps: routes.map((each) => ({ ...criteria, route: each })) })),
      route !== undefined && second === undefined && (() => control.expectRequest({ ...criteria, route, times })),
      only && (() => control.expectNoOther({})),
    ];
    for (const check of checks) if (check) await check().catch(rethrowAsAssertion);
    return { text: `${describe(routes, times)}, as expected.` };
  },
});

function describe(routes: readonly string[], times: number | undefined): string {
  if (routes.length === 0) return 'No other requests';
  if (routes.length > 1) return routes.join(', then ');
  return `${times === undefined ? 'At least one request' : formatCount(times, 'request')} ${routes[0]}`;
}
