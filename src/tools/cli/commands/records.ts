import { fixtureFlags, formatFixtures, saveFixtures } from '../fixture-output.js';
import { formatTable } from '../io.js';
import { remoteCommand } from '../remote.js';

export const state = remoteCommand({
  flags: fixtureFlags,
  examples: {
    '$0 --out ./demo.json': 'val-emulator seed ./demo.json loads it again',
    '$0 --relative --brief --out demo/': 'a folder with one file per collection, to edit by hand',
  },
  async run({ out, tokens, secrets, relative, brief, force }, { control, url, io }) {
    const value = await control.getState({ tokens, secrets, relative, brief });
    if (out === undefined) return { value, text: formatFixtures(value, brief).join('').trimEnd() };
    await saveFixtures(io, value, { out, brief, force });
    return { text: `Wrote the records of ${url} to ${out}.` };
  },
});

export const users = remoteCommand({
  examples: {
    $0: 'curl -H "Authorization: Bearer <token>" authenticates as one of them',
    '$0 --json | jq -r .[0].token': 'the token of the first user, in a script',
  },
  async run(_, { control, io }) {
    const value = await control.listUsers();
    const rows = value.map(({ username, id, token }) => ({ username, id, token }));
    return { value, text: formatTable(io, rows, 'No users.') };
  },
});
