import { Type } from 'typebox';
import { compile } from '../../lib/validator.js';
import { fail } from '../errors.js';
import { flag } from '../flags.js';
import { remoteCommand } from '../remote-command.js';

const isClock = compile('cli clock', Type.Object({ now: Type.String(), frozen: Type.Boolean() }), 'strict');

export const command = remoteCommand({
  flags: {
    freeze: { type: 'string', describe: 'Freeze at an RFC 3339 timestamp (default: the current time)' },
    set: flag('Set the time; a running clock continues'),
    advance: flag('Advance by a duration: 90s, 10m, 2d, 1d12h'),
    resume: { type: 'boolean', default: false, describe: 'Resume a frozen clock' },
  },
  examples: [
    ['$0', 'print the time'],
    ['$0 --freeze 2024-06-11T22:05:12Z', 'freeze it'],
    ['$0 --advance 10m', 'skip ten minutes'],
  ],
  async run({ freeze, set, advance, resume }, connect) {
    const [body, ...others] = [
      ...(freeze === undefined ? [] : [{ freeze: freeze === '' || freeze }]),
      ...(set === undefined ? [] : [{ set }]),
      ...(advance === undefined ? [] : [{ advance }]),
      ...(resume ? [{ resume }] : []),
    ];
    if (others.length > 0) fail('Use only one of --freeze, --set, --advance and --resume.');
    const client = await connect();
    const { value, text } = await client.request(body ? 'PUT' : 'GET', '/clock', isClock, { body });
    return { text, words: `${value.now} (${value.frozen ? 'frozen' : 'running'})` };
  },
});
