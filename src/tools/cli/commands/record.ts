import { flag } from '../command.js';
import { nameOthers } from '../criteria.js';
import { quoteName } from '../io.js';
import { forceFlag, sessionFile, writeFiles } from '../output.js';
import { remoteCommand } from '../remote.js';

export const record = remoteCommand({
  flags: { out: { ...flag('Write to this file (default: stdout)'), alias: 'o' }, ...forceFlag },
  examples: {
    '$0 --out bug.ndjson': 'seed data, commits and requests, without tokens',
    '$0 --sandbox checkout --out bug.ndjson': 'of one sandbox',
  },
  epilogue: 'val-emulator start --session opens the file.',
  async run({ out, json, force }, { control, url, io }) {
    const text = await control.recordSession();
    const note = text.includes('{"type":"request"')
      ? ''
      : `The session has no requests.${await nameOthers({ control, url })}`;
    if (out === undefined) {
      if (note !== '') io.stderr.write(`${note}\n`);
      io.stdout.write(json ? `${JSON.stringify(text)}\n` : text);
      return undefined;
    }
    await writeFiles(io, [{ path: out, kind: sessionFile, chunks: [text] }], { force });
    return {
      value: { out },
      text: [`Wrote the session of ${url} to ${quoteName(out)}.`, note].filter(Boolean).join(' '),
    };
  },
});
