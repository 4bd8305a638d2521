import { flag } from '../command.js';
import { quoteName } from '../io.js';
import { writeFiles } from '../output.js';
import { remoteCommand } from '../remote-command.js';

export const record = remoteCommand('record', 'Write a session of a running emulator to a file', {
  flags: { out: { ...flag('Write to this file (default: stdout)'), alias: 'o' } },
  examples: {
    '$0 --out bug.ndjson': 'seed data, commits and requests, without tokens',
    '$0 --sandbox checkout --out bug.ndjson': 'of one sandbox',
  },
  epilogue: 'val-emulator start --session opens the file.',
  async run({ out, json }, client, io) {
    const text = await client.getText('/session');
    if (out === undefined) {
      io.stdout.write(json ? `${JSON.stringify(text)}\n` : text);
      return undefined;
    }
    await writeFiles(io, [{ path: out, chunks: [text] }]);
    return { value: { out }, words: `Wrote the session of ${client.url} to ${quoteName(out)}.` };
  },
});
