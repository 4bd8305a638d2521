import { Type } from 'typebox';
import { compile } from '../../lib/validator.js';
import { flag } from '../flags.js';
import { writeFiles } from '../output.js';
import { remoteCommand } from '../remote-command.js';

const isFixtures = compile('cli fixtures', Type.Object({ users: Type.Array(Type.Unknown()) }), 'strict');

export const command = remoteCommand({
  flags: { out: { ...flag('Write to this file (default: stdout)'), alias: 'o' } },
  examples: [['$0 --out ./demo.json', 'val-emulator seed ./demo.json loads it again; tokens are left out']],
  async run({ out }, connect, io) {
    const client = await connect();
    const { value, text } = await client.request('GET', '/state', isFixtures);
    const pretty = JSON.stringify(value, null, 2);
    if (out === undefined) return { text, words: pretty };
    await writeFiles(io, [{ path: out, chunks: [`${pretty}\n`] }]);
    return { text: '', words: `Wrote the records of ${client.url} to ${out}.` };
  },
});
