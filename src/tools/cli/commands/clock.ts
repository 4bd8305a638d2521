import { parseDateOrInstant } from '#engine/lib/time.js';
import { failValue, flag, parseTime } from '../command.js';
import { remoteCommand } from '../remote.js';

/** Checks a timestamp before any request. Empty text stands for the current time. */
const checkTimestamp =
  (name: string) =>
  (text: string): string =>
    text === '' || parseDateOrInstant(text) !== undefined
      ? text
      : failValue(name, text, 'an RFC 3339 timestamp such as "2024-06-11T22:05:12Z"');

export const clock = remoteCommand({
  flags: {
    freeze: {
      type: 'string',
      describe: 'Freeze at an RFC 3339 timestamp (default: the current time)',
      coerce: checkTimestamp('freeze'),
      conflicts: ['set', 'advance', 'resume'],
    },
    set: {
      ...flag('Set the time, or "now" for the real one; a running clock continues'),
      coerce: (text: string) => (text === 'now' ? new Date().toISOString() : checkTimestamp('set')(text)),
      conflicts: ['advance', 'resume'],
    },
    advance: {
      ...flag('Advance by a duration: 90s, 10m, 2d, 1d12h'),
      coerce: parseTime('advance'),
      conflicts: ['resume'],
    },
    resume: { type: 'boolean', describe: 'Resume a frozen clock' },
  },
  examples: {
    $0: 'print the time',
    '$0 --freeze 2024-06-11T22:05:12Z': 'freeze it',
    '$0 --advance 10m': 'skip ten minutes',
  },
  async run({ freeze, set, advance, resume }, { control }) {
    const changes = {
      freeze: freeze || (freeze === '' ? (true as const) : undefined),
      set,
      advance,
      resume: resume || undefined,
    };
    const isChanged = Object.values(changes).some((change) => change !== undefined);
    const value = isChanged ? await control.changeClock(changes) : await control.getClock();
    return { value, text: `${value.now} (${value.frozen ? 'frozen' : 'running'})` };
  },
});
