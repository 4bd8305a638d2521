import { CHAOS_NAMES } from '../../../../src/engine/faults/presets.js';
import { parseDateOrInstant } from '../../../../src/engine/lib/time.js';
import { control, dashboardUrl, download, rootControl, sandboxName } from '../../lib/api.js';
import { armAgain, disarm } from '../../lib/faults.js';
import { FILES } from '../../lib/files.js';
import { formatNumber } from '../../lib/format.js';
import { commits, sandboxes } from '../../lib/live.js';
import { at, travelTo } from '../../lib/location.js';
import { setDark } from '../../lib/theme.js';
import type { EmulatorUser } from '../../lib/types.js';
import { callerId, nameOfUser } from '../../lib/users.js';
import { commitsFrom, replaceState, takeBack } from '../travel.js';
import type { Action, Values } from './grammar.js';
import { readDelay, readLimit } from './kinds.js';

/** Describes requests: `the next 3 requests to POST /v1/vals by ada, for 30s`. */
function describeRequests({ next, route = '*', by, for: time }: Values): string {
  const count =
    next === undefined
      ? 'all requests'
      : next === '1'
        ? 'the next request'
        : `the next ${formatNumber(Number(next))} requests`;
  return [count, route !== '*' && ` to ${route}`, by && ` by ${by}`, time && `, for ${time}`].filter(Boolean).join('');
}

/** Arms a fault for the requests that an action names. */
async function arm(values: Values, effect: Parameters<typeof control.armFault>[0]) {
  const { next, route, by, for: time } = values;
  const times = next === undefined ? undefined : Number(next);
  return disarm([await control.armFault({ ...effect, route, user: by, times, for: time })]);
}

/** Changes the clock. Returns the undo, which adds the time that has passed since. */
async function changeClock(change: Parameters<typeof control.changeClock>[0]) {
  const { now, frozen } = await control.getClock();
  const start = Date.now();
  await control.changeClock(change);
  return async () => {
    if (frozen) return await control.changeClock({ freeze: now });
    await control.changeClock({ set: new Date(Date.parse(now) + Date.now() - start).toISOString() });
    return await control.changeClock({ resume: true });
  };
}

const toTimestamp = (text = ''): string => new Date(parseDateOrInstant(text) ?? 0).toISOString();

/** The commits that a rewind takes back, the oldest first. */
const listTaken = ({ rewind = '' }: Values) =>
  /^\d+$/.test(rewind) ? commits.value.slice(-Number(rewind)) : commitsFrom(rewind);

/** Commits that a message names. */
const NAMED = 3;

function describeTaken(values: Values): string {
  const taken = listTaken(values);
  const { rewind = '' } = values;
  if (taken.length === 0 && !/^\d*$/.test(rewind)) return `Takes back ${rewind} and all later commits.`;
  const named = taken.slice(0, NAMED).map(({ id, request }) => `${id} ${request}`);
  const more = taken.length > NAMED ? ` and ${taken.length - NAMED} later ones` : '';
  return `Takes back ${named.join(', ') || 'nothing'}${more}.`;
}

const findFile = (name: string | undefined) => Object.entries(FILES).find(([each]) => each === name)?.[1];

const open = (name: string): void => window.location.assign(dashboardUrl(name));
const resume = { says: () => 'Lets the clock run on.', runWithUndo: () => changeClock({ resume: true }) };
/** What is changed, in messages. */
const WHERE = sandboxName === '' ? 'the default sandbox' : sandboxName;

/** Makes what the palette does, in the words of the command line. */
export const makeActions = (users: readonly EmulatorUser[]): readonly Action[] => [
  {
    usage: 'fail [STATUS] [next COUNT] [ROUTE] [by USER] [for DURATION]',
    says: (values) =>
      values.status === 'reset'
        ? `Resets the connection of ${describeRequests(values)}.`
        : `Responds ${values.status ?? 500} to ${describeRequests(values)}.`,
    runWithUndo: (values) =>
      arm(values, values.status === 'reset' ? { reset: true } : { status: Number(values.status ?? 500) }),
  },
  {
    usage: 'delay DELAY [next COUNT] [ROUTE] [by USER] [for DURATION]',
    says: (values) => `Waits ${values.delay} before it responds to ${describeRequests(values)}.`,
    runWithUndo: (values) => arm(values, { delay: readDelay(values.delay ?? '') }),
  },
  {
    usage: 'chaos CHAOS [for DURATION]',
    says: ({ chaos, for: time }) =>
      `Disturbs requests at random: ${chaos}${time === undefined ? '' : `, for ${time}`}.`,
    async runWithUndo({ chaos, for: time }) {
      const name = CHAOS_NAMES.find((each) => each === chaos);
      return disarm(name ? await control.armChaos({ name, for: time }) : []);
    },
  },
  {
    usage: 'disarm [FAULT]',
    says: ({ fault }) => (fault === undefined ? 'Disarms all faults.' : `Disarms ${fault}.`),
    async runWithUndo({ fault }) {
      const armed = (await control.listFaults()).filter(({ id }) => fault === undefined || id === fault);
      await (fault === undefined ? control.disarmAllFaults() : control.disarmFault({ id: fault }));
      return () => armAgain(armed);
    },
  },
  {
    usage: 'limit LIMIT',
    says: ({ limit }) =>
      limit === 'off' ? 'Switches the rate limit off.' : `Limits each user to ${limit?.replace('/', ' requests in ')}.`,
    async runWithUndo({ limit = '' }) {
      const before = await control.getRateLimit();
      await control.setRateLimit(readLimit(limit) ?? { limit: null });
      return () => control.setRateLimit({ limit: before.limit, window: before.window ?? undefined });
    },
  },
  {
    usage: 'freeze [TIME]',
    says: ({ time }) => `Stops the clock at ${time === undefined ? 'its time' : toTimestamp(time)}.`,
    runWithUndo: ({ time }) => changeClock({ freeze: time === undefined ? true : toTimestamp(time) }),
  },
  { usage: 'unfreeze', ...resume },
  { usage: 'resume', ...resume },
  {
    usage: 'clock TIME',
    says: ({ time }) => `Sets the clock to ${toTimestamp(time)}.`,
    runWithUndo: ({ time }) => changeClock({ set: toTimestamp(time) }),
  },
  {
    usage: 'advance STEP',
    says: ({ step }) => `Moves the clock forward by ${step}.`,
    runWithUndo: ({ step }) => changeClock({ advance: step }),
  },
  {
    usage: 'snapshot [NAME]',
    says: ({ name }) => `Takes ${name === undefined ? 'a snapshot' : `the snapshot ${name}`} of this state.`,
    run: ({ name }) => control.takeSnapshot({ name, at: at.value }),
  },
  {
    usage: 'restore SNAPSHOT',
    says: ({ snapshot }) => `Goes back to the snapshot ${snapshot}.`,
    runWithUndo: ({ snapshot = '' }) =>
      replaceState('restore', () => control.restoreSnapshot({ name: snapshot }), snapshot),
  },
  {
    usage: 'drop SNAPSHOT',
    says: ({ snapshot }) => `Drops the snapshot ${snapshot}.`,
    run: ({ snapshot = '' }) => control.dropSnapshot({ name: snapshot }),
  },
  {
    usage: 'reset',
    says: () => `Takes ${WHERE} back to its seed data: records, clock, faults, requests and history.`,
    runWithUndo: () => replaceState('reset', () => control.reset({ confirm: true })),
  },
  {
    usage: 'seed DATASET',
    says: ({ dataset }) => `Replaces all records of ${WHERE} by the dataset ${dataset}.`,
    runWithUndo: ({ dataset = '' }) =>
      replaceState('seed', () => control.reseed({ fixtures: dataset }, { query: { confirm: true } })),
  },
  {
    usage: 'rewind REWIND',
    says: describeTaken,
    async runWithUndo(values) {
      const [first] = listTaken(values);
      return first ? await takeBack(first.id) : async () => false;
    },
  },
  {
    usage: 'fork [COPY] [at COMMIT]',
    says: ({ copy = 'a new sandbox', at: commit = at.value }) =>
      `Copies ${WHERE}${commit === undefined ? '' : ` as of ${commit}`} to ${copy}, and opens it.`,
    async run({ copy, at: commit = at.value }) {
      open((await control.forkSandbox({ name: copy, at: commit })).name);
    },
  },
  {
    usage: 'open SANDBOX',
    says: ({ sandbox }) =>
      sandboxes.value.some(({ name }) => name === sandbox)
        ? `Opens ${sandbox}.`
        : `Creates the sandbox ${sandbox}, and opens it.`,
    async run({ sandbox }) {
      open((await rootControl.openSandbox({ name: sandbox })).name);
    },
  },
  {
    usage: 'at COMMIT',
    says: ({ commit }) =>
      `Shows the state ${commit === 'start' ? 'before the first commit' : `after ${commit}`} on all pages.`,
    run: ({ commit }) => travelTo(commit),
  },
  { usage: 'now', says: () => 'Shows the current state on all pages.', run: () => travelTo(undefined) },
  {
    usage: 'record FILE',
    says: ({ file }) => `Downloads ${findFile(file)?.content}.`,
    async run({ file }) {
      const found = findFile(file);
      if (found) await download(found.path, found.file);
    },
  },
  { usage: 'clear', says: () => 'Clears the list of requests.', run: () => control.clearRequests() },
  {
    usage: 'as USER',
    says: ({ user }) => `Makes ${user} the user of what this page sends.`,
    run({ user }) {
      callerId.value = users.find((each) => nameOfUser(each) === user)?.id;
    },
  },
  { usage: 'dark', says: () => 'Uses dark colors.', run: () => setDark(true) },
  { usage: 'light', says: () => 'Uses light colors.', run: () => setDark(false) },
];
