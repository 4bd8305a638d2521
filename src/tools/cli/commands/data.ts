import { readClock } from '#engine/clock/clock.state.js';
import { countRecords, describeCounts } from '#engine/fixtures/export.js';
import { exportFixtures } from '#engine/fixtures/export-options.js';
import { didYouMean } from '#engine/lib/messages.js';
import { definitions } from '#vals/service/service.collection.js';
import { defineCommand, fail, flag, jsonFlag } from '../command.js';
import { fixtureFlags, formatFixtures, saveFixtures } from '../fixture-output.js';
import { quoteName } from '../io.js';

const dataFlag = { data: { ...flag('Data folder'), demandOption: true } } as const;
const formatSize = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;

const exportData = defineCommand({
  variables: { ...dataFlag, json: jsonFlag('the numbers of records, with --out') },
  flags: {
    ...fixtureFlags,
    sandbox: flag('A sandbox that the folder keeps (default: the default one)'),
  },
  examples: {
    '$0 --data ./demo --out demo.json': 'val-emulator start --fixtures demo.json loads it',
    '$0 --data ./demo --no-tokens --relative --brief --out demo/': 'a folder to edit by hand',
  },
  epilogue: 'An emulator may use the folder meanwhile.',
  async run({ data, out, sandbox = '', brief, tokens, secrets, relative, force }, io) {
    const { readFolder } = await import('#engine/persistence/folder-log.js');
    const sandboxes = readFolder(data, definitions);
    const found = sandboxes.get(sandbox);
    if (!found) {
      const names = [...sandboxes.keys()].filter((name) => name !== '');
      const kept = names.length === 0 ? 'it has none but the default one' : `it has ${names.join(', ')}`;
      fail(`--sandbox: ${data} has no sandbox ${JSON.stringify(sandbox)}; ${kept}.${didYouMean(sandbox, names)}`);
    }
    const { state } = found.contents;
    const fixtures = exportFixtures<Record<string, object[]>>(state, readClock(state.clock, Date.now()), {
      tokens,
      secrets,
      relative,
      brief,
    });
    if (out === undefined) {
      io.stdout.write(formatFixtures(fixtures, brief).join(''));
      return undefined;
    }
    await saveFixtures(io, fixtures, { out, brief, force });
    const counts = countRecords(state);
    return { value: { out, ...counts }, text: `Wrote ${describeCounts(counts, definitions)} to ${quoteName(out)}.` };
  },
});

export const compact = defineCommand({
  variables: { ...dataFlag, json: jsonFlag('the sizes in bytes') },
  examples: { '$0 --data ./demo': 'drop what no reset, snapshot or rewind can reach' },
  epilogue: 'A running emulator does this itself when the folder has doubled and grown by 16 MB.',
  async run({ data }) {
    const { compactFolder } = await import('#engine/persistence/folder-log.js');
    const { before, after } = await compactFolder(data, definitions);
    const text = `${quoteName(data)}: ${formatSize(before)} before, ${formatSize(after)} now.`;
    return { value: { data, before, after }, text };
  },
});

export { exportData as export };
