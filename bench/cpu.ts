/**
 * Measures the processor time of a request to the emulator, with and without its journal, relative to bare node:http. The
 * servers take turns in one run. Load of other programs changes rates, but hardly these ratios. On Linux only.
 *
 *   npm run bench -- cpu    ratios with their bounds (exit code 1 if one is missed)
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BY_ID, CREATE, FIRST_PAGE } from './http/cases.js';
import { BARE, contenders, type Running, start } from './http/contenders.js';
import { pinServer } from './http/cores.js';
import { writeFixture } from './http/fixture.js';
import { drive, getShots, startOurs, stopAll } from './http/ours.js';
import { median, readProcessorTime } from './measure.js';
import { report } from './report.js';

const RECORDS = 1_000;
const CONNECTIONS = 10;
const ROUNDS = 7;
/** Least ratio of bare node:http to the emulator, by case. */
const BOUNDS = { [BY_ID]: 0.72, [FIRST_PAGE]: 1, [CREATE]: 0.33 };
const BOUND_WITHOUT_JOURNAL = 0.8;

async function measure(server: Running, name: string): Promise<number> {
  const before = readProcessorTime(server.pid);
  const { requests } = await drive(server.url, getShots(name, RECORDS), CONNECTIONS);
  return (readProcessorTime(server.pid) - before) / requests;
}

const folder = mkdtempSync(join(tmpdir(), 'val-emulator-bench-'));
const fixture = join(folder, 'fixture.json');
const bareContender = contenders.find(({ name }) => name === BARE);
let bare: Running | undefined;
try {
  writeFixture(fixture, RECORDS);
  bare = bareContender && (await start(bareContender, fixture));
  if (!bare) throw new Error(`no ${BARE}`);
  const journal = await startOurs(fixture, ['--log', 'off']);
  const plain = await startOurs(fixture, ['--log', 'off', '--no-journal']);
  for (const { pid } of [bare, journal, plain]) pinServer(pid);
  for (const [name, bound] of Object.entries(BOUNDS)) {
    const times: Record<'bare' | 'journal' | 'plain', number[]> = { bare: [], journal: [], plain: [] };
    for (let round = 0; round <= ROUNDS; round++) {
      const all = [await measure(bare, name), await measure(journal, name), await measure(plain, name)] as const;
      // The first round compiles.
      if (round === 0) continue;
      times.bare.push(all[0]);
      times.journal.push(all[1]);
      times.plain.push(all[2]);
    }
    const [ofBare, withJournal, without] = [median(times.bare), median(times.journal), median(times.plain)];
    const raw = (time: number) => `${time.toFixed(1)} µs, bare ${ofBare.toFixed(1)} µs`;
    report(name, ofBare / withJournal, 'least', bound, raw(withJournal));
    const least = name === BY_ID ? BOUND_WITHOUT_JOURNAL : bound;
    report(`${name}, --no-journal`, ofBare / without, 'least', least, raw(without));
  }
} finally {
  await bare?.stop();
  await stopAll();
  rmSync(folder, { recursive: true });
}
