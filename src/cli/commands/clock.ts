import { flag } from '../command.js';
import { remoteCommand } from '../remote.js';

const asTrue = (isSet: boolean | undefined): true | undefined => (isSet ? true : undefined);

export const clock = remoteCommand({
  flags: {
    freeze: {
      type: 'string',
      describe: 'Freeze at an RFC 3339 timestamp (default: the current time)',
      conflicts: ['set', 'advance', 'resume'],
    },
    set: { ...flag('Set the time; a running clock continues'), conflicts: ['advance', 'resume'] },
    advance: { ...flag('Advance by a duration: 90s, 10m, 2d, 1d12h'), conflicts: ['resume'] },
    resume: { type: 'boolean', describe: 'Resume a frozen clock' },
  },
  examples: {
    $0: 'print the time',
    '$0 --freeze 2024-06-11T22:05:12Z': 'freeze it',
    '$0 --advance 10m': 'skip ten minutes',
  },
  async run({ freeze, set, advance, resume }, { control }) {
    const changes = { freeze: freeze || asTrue(freeze === ''), set, advance, resume: asTrue(resume) };
    const isChanged = Object.values(changes).some((change) => change !== undefined);
    const value = isChanged ? await control.changeClock(changes) : await control.getClock();
    return { value, text: `${value.now} (${value.frozen ? 'frozen' : 'running'})` };
  },
});
