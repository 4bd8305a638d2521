import { OUTCOMES } from '#engine/journal/outcomes.js';
import { STATUS_EXAMPLES, STATUS_PATTERN } from '#engine/journal/statuses.js';
import { type Flags, failValue, flag, type Input, jsonObjectFlag, jsonValueFlag, parseNumber } from './command.js';
import type { Remote } from './remote.js';

/** Creates a parser of whole numbers, by default of any size. */
export const parseInteger =
  (name: string, expected: string, min = Number.NEGATIVE_INFINITY) =>
  (text: string) =>
    /^-?\d+$/.test(text) && Number(text) >= min ? Number(text) : failValue(name, text, expected);

/** Completes the number of a request, or of its commit, to the id: `17` means `r17`. */
export const toRequestId = (text: string): string => text.replace(/^\d+$/, 'r$&');

/** The flag of commands that read the history. */
export const commitFlag = {
  ...flag('State after this commit, or `start` (default: the current state)'),
  coerce: toRequestId,
} as const;

/** The criteria of an entry of the journal, apart from its route. */
export const criteriaFlags = {
  method: flag('Only requests with this method'),
  path: flag('Only requests to this path, with its query as sent'),
  status: {
    ...flag('Only responses with this status: 404, 4xx, or 404,5xx'),
    coerce: (text: string) =>
      new RegExp(STATUS_PATTERN).test(text) ? parseNumber(text) : failValue('status', text, STATUS_EXAMPLES),
  },
  refused: { type: 'boolean', describe: 'Only requests that were refused, by their status or as a tool call' },
  user: flag('Only requests of this username'),
  outcome: { ...flag('Only requests whose response ended so'), choices: OUTCOMES },
  trace: flag('Only requests with this trace id in the header traceparent'),
  headers: jsonObjectFlag('headers', 'Only requests with these headers: {"x-trace":"1"}; null: absent'),
  query: jsonObjectFlag('query', 'Only requests with these query parameters: {"limit":2}'),
  params: jsonObjectFlag('params', 'Only requests with these path parameters: {"val_id":"..."}'),
  body: jsonValueFlag('body', 'Only requests with this in their JSON body: {"name":"report"}'),
  'response-headers': jsonObjectFlag('response-headers', 'Only responses with these headers: {"retry-after":"3"}'),
  duration: jsonObjectFlag('duration', 'Only responses that took this long: {"min":"1s","max":"2s"}'),
} as const satisfies Flags;

type Criteria = Partial<Input<typeof criteriaFlags>>;

/** Selects the criteria that a list takes as they are. */
export const pickPlain = ({ method, path, status, refused, user, outcome, trace }: Criteria) => ({
  ...{ method, path, status, refused, user, outcome, trace },
});

/** Selects the criteria that a list takes as JSON. */
export const pickContent = ({ headers, query, params, body, responseHeaders, duration }: Criteria) => ({
  ...{ headers, query, params, body, responseHeaders, duration },
});

/** Sandboxes that a message names. */
const MAX_NAMES = 5;

/** Names the other sandboxes that have requests, for a command that found none. Empty without such. */
export async function nameOthers({ control, url }: Pick<Remote, 'control' | 'url'>): Promise<string> {
  const all = await control.listSandboxes();
  const others = all.filter(({ name, requests }) => requests > 0 && !url.endsWith(`/_sandbox/${name}`));
  const names = others.slice(0, MAX_NAMES).map(({ name, requests }) => `${name} (${requests})`);
  const more = others.length > MAX_NAMES ? ', …' : '';
  return names.length === 0 ? '' : ` Sandboxes with requests, for --sandbox: ${names.join(', ')}${more}.`;
}
