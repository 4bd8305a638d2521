/**
 * Measures what an open dashboard costs the emulator, how smoothly its lists scroll, and whether it grows while requests arrive.
 *
 *   npm run bench -- dashboard              figures and bounds (exit code 1 if one is missed)
 *   npm run bench -- dashboard --rounds 3 --minutes 8
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { BY_ID, cases } from './http/cases.js';
import { contenders, OURS, start } from './http/contenders.js';
import { defaultDriver, drivers } from './http/drivers.js';
import { writeFixture } from './http/fixture.js';
import { median } from './measure.js';

const { rounds, seconds, minutes } = await yargs(hideBin(process.argv))
  .options({
    rounds: { type: 'number', default: 10, describe: 'Rounds of a second without and a second with each reader' },
    seconds: { type: 'number', default: 5, describe: 'Seconds of scrolling' },
    minutes: {
      type: 'number',
      default: 1,
      describe: 'Minutes for which the list of requests is open while they arrive',
    },
  })
  .strict()
  .parseAsync();

const RECORDS = 100_000;
const CONNECTIONS = 10;
/** Rate with an open stream of events, as a part of the rate without. */
const LEAST_RATIO = 0.9;
const SCROLL_ROUNDS = 3;
/** Requests a second that a list receives, and the most that its page may grow meanwhile. */
const ARRIVALS = 200;
const MAX_GROWTH = 1.5;

/** What a browser on this machine can do at best: rows of text without a script. */
const PLAIN_LIST = `<div class="records-scroll" style="height:100vh;overflow:auto">${'<p>A row of text</p>'.repeat(5_000)}</div>`;

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));
const folder = mkdtempSync(join(tmpdir(), 'val-emulator-bench-'));
const fixture = join(folder, 'fixture.json');
writeFixture(fixture, RECORDS);
const contender = contenders.find(({ name }) => name === OURS);
const byId = cases.find(({ name }) => name === BY_ID);
const server = contender && (await start(contender, fixture));
if (!contender || !byId || !server) throw new Error('the emulator did not start');
const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ['--no-sandbox'] });
try {
  const { url } = server;
  const drive = async () => {
    const load = { connections: CONNECTIONS, seconds: 1, shots: byId.shots(contender, RECORDS) };
    const { requests, seconds: took } = await drivers[defaultDriver](url, load);
    return requests / took;
  };
  await drive();
  const events = await compare(drive, () => readEvents(url));
  report(
    'by id while a program reads the events, of without',
    events,
    events >= LEAST_RATIO,
    `at least ${LEAST_RATIO}`,
  );
  const page = await compare(drive, () => openPage(browser, `${url}/_emulator/ui/#/requests`));
  report('by id while Chromium on this machine shows the requests, of without', page, true, 'no bound');
  const [plain, list] = await scrollBoth(browser, `${url}/_emulator/ui/#/data/runs`);
  const rates = `${Math.round(list)} and ${Math.round(plain)} frames a second`;
  report(
    `frames of scrolling ${RECORDS} runs, of those of a plain list`,
    list / plain,
    list / plain >= LEAST_RATIO,
    `at least ${LEAST_RATIO}; ${rates}`,
  );
  const { sent, frames, load, heaps, nodes } = await receive(browser, url);
  const growth = (heaps.at(-1) ?? 0) / (heaps[0] ?? 1);
  const sizes = heaps.map((bytes) => (bytes / 1e6).toFixed(1)).join(', ');
  report(
    `heap of the list after ${sent} requests in ${minutes} min, of the heap after the first tenth`,
    growth,
    growth <= MAX_GROWTH,
    `at most ${MAX_GROWTH}; MB: ${sizes}; nodes: ${nodes.join(', ')}; ${frames} frames a second; ${load} % of a core`,
  );
} finally {
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true });
}

function report(what: string, value: number, isMet: boolean, bound: string): void {
  console.log(`${isMet ? 'ok    ' : 'MISSED'} ${value.toFixed(2)} ${what} (${bound})`);
  if (!isMet) process.exitCode = 1;
}

/** Drives a second without and a second with a reader in turn, and compares the medians. */
async function compare(drive: () => Promise<number>, open: () => Promise<AsyncDisposable>): Promise<number> {
  const rates = { without: [] as number[], with: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    rates.without.push(await drive());
    const reader = await open();
    rates.with.push(await drive());
    await reader[Symbol.asyncDispose]();
  }
  return median(rates.with) / median(rates.without);
}

async function readEvents(url: string): Promise<AsyncDisposable> {
  const script = fileURLToPath(new URL('http/event-reader.js', import.meta.url));
  const reader: ChildProcess = spawn(process.execPath, [script, url], { stdio: 'ignore' });
  await sleep(300);
  return {
    async [Symbol.asyncDispose]() {
      if (reader.kill()) await once(reader, 'exit');
    },
  };
}

async function openPage(chromium: Browser, url: string): Promise<AsyncDisposable> {
  const page = await chromium.newPage();
  await page.goto(url);
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
  await sleep(500);
  return { [Symbol.asyncDispose]: () => page.close() };
}

/** Opens the list of requests while they arrive, and measures its page ten times. */
async function receive(chromium: Browser, url: string) {
  const page = await chromium.newPage({ viewport: { width: 1280, height: 820 } });
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(`${url}/_emulator/ui/#/requests`);
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
  await page.evaluate('globalThis.frames = 0; (function count() { frames++; requestAnimationFrame(count); })()');
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const read = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
  const first = await read();
  const begun = performance.now();
  const end = begun + minutes * 60_000;
  const heaps: number[] = [];
  const nodes: number[] = [];
  let sent = 0;
  for (let tenth = 1; tenth <= 10; tenth++) {
    while (performance.now() < begun + ((end - begun) * tenth) / 10) {
      const due = Math.floor(((performance.now() - begun) / 1_000) * ARRIVALS) - sent;
      await Promise.all(
        Array.from({ length: due }, async () => (await fetch(`${url}/v1/me?n=${++sent}`)).arrayBuffer()),
      );
      await sleep(20);
    }
    const { JSHeapUsedSize = 0, Nodes = 0 } = await read();
    heaps.push(JSHeapUsedSize);
    nodes.push(Nodes);
  }
  const { TaskDuration = 0 } = await read();
  const took = (performance.now() - begun) / 1_000;
  const frames = Math.round(Number(await page.evaluate('frames')) / took);
  await page.close();
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return { sent, frames, load: Math.round(((TaskDuration - (first.TaskDuration ?? 0)) / took) * 100), heaps, nodes };
}

interface TraceEvent {
  readonly name: string;
  readonly ts: number;
}

/** Scrolls a plain list and a list of the dashboard in turn, and returns the frames a second of each. */
async function scrollBoth(chromium: Browser, url: string): Promise<[plain: number, list: number]> {
  const page = await chromium.newPage({ viewport: { width: 1280, height: 820 } });
  const rates: [number[], number[]] = [[], []];
  for (let round = 0; round < SCROLL_ROUNDS; round++) {
    // Not on a page of the dashboard, whose policy allows no inline style.
    await page.goto('about:blank');
    await page.setContent(PLAIN_LIST);
    rates[0].push(await countFrames(page));
    await page.goto(url);
    await page.getByRole('row').nth(5).waitFor();
    rates[1].push(await countFrames(page));
  }
  await page.close();
  return [median(rates[0]), median(rates[1])];
}

/** Scrolls by 40 pixels in each frame, and counts the frames a second that were drawn, by the tracing API. */
async function countFrames(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const times = await trace(session, async () => {
    await page.evaluate(`new Promise((resolve) => {
      const list = document.querySelector('.records-scroll');
      const end = performance.now() + ${seconds * 1_000};
      const step = () => {
        list.scrollTop += 40;
        if (performance.now() < end) requestAnimationFrame(step);
        else resolve();
      };
      step();
    })`);
  });
  await session.detach();
  const took = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000_000;
  return (times.length - 1) / took;
}

/** Records the times in microseconds at which frames were drawn. */
async function trace(session: CDPSession, run: () => Promise<void>): Promise<number[]> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, ts } of value) if (typeof name === 'string' && typeof ts === 'number') events.push({ name, ts });
  });
  const ended = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  const includedCategories = ['disabled-by-default-devtools.timeline.frame', 'devtools.timeline.frame'];
  await session.send('Tracing.start', { traceConfig: { includedCategories }, transferMode: 'ReportEvents' });
  await run();
  await session.send('Tracing.end');
  await ended;
  return events
    .filter(({ name }) => name === 'DrawFrame')
    .map(({ ts }) => ts)
    .sort((a, b) => a - b);
}
