import { Type } from 'typebox';
import { compile } from '../../lib/validator.js';
import { ClockStatus } from '../../sandbox/clock.js';
import { fail, flag } from '../command.js';
import { remoteCommand } from '../remote-command.js';

const isClock = compile('cli clock', Type.Object(ClockStatus.properties), 'response');

export const clock = remoteCommand('clock', 'Print or change the clock of a running emulator', {
  flags: {
    freeze: { type: 'string', describe: 'Freeze at an RFC 3339 timestamp (default: the current time)' },
    set: flag('Set the time; a running clock continues'),
    advance: flag('Advance by a duration: 90s, 10m, 2d, 1d12h'),
    resume: { type: 'boolean', default: false, describe: 'Resume a frozen clock' },
  },
  examples: {
    $0: 'print the time',
    '$0 --freeze 2024-06-11T22:05:12Z': 'freeze it',
    '$0 --advance 10m': 'skip ten minutes',
  },
  async run({ freeze, set, advance, resume }, client) {
    const all = { freeze: freeze === '' || freeze, set, advance, resume: resume || undefined };
    const [change, ...others] = Object.entries(all).filter(([, value]) => value !== undefined);
    if (others.length > 0) fail('Use only one of --freeze, --set, --advance and --resume.');
    const body = change && Object.fromEntries([change]);
    const value = await client.request(change ? 'PUT' : 'GET', '/clock', isClock, body);
    return { value, words: `${value.now} (${value.frozen ? 'frozen' : 'running'})` };
  },
});
