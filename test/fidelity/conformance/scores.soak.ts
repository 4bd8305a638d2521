import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fill } from '../../../scripts/docs/fill.js';
import { checkConformance } from '../../../src/fidelity/conformance/index.js';
import type { Report } from '../../../src/fidelity/report.js';
import { FORMS } from './forms.js';
import type { Target } from './target.js';
import { startJsonServer, startPrism } from './targets.js';

// The table of docs/conformance.md. `npm test -- soak test/fidelity/conformance/scores.soak.ts --update` writes it.
const PAGE = '../../../docs/conformance.md';

const check = async (start: () => Promise<Target>): Promise<Report> => {
  const target = await start();
  try {
    const { url, token, secondToken } = target;
    return await checkConformance({ url, token, secondToken, level: 'limits', timeout: 10_000 });
  } finally {
    await target.close();
  }
};

const row = (name: string, { totals: { passed, failed, different, skipped } }: Report) =>
  `| ${[name, passed, failed, different, skipped].join(' | ')} |`;

test('mock servers fail in the ways that docs/conformance.md lists', { timeout: 120_000 }, async () => {
  const [prism, jsonServer, emulator] = [
    await check(startPrism),
    await check(startJsonServer),
    await check(FORMS.socket ?? expect.fail()),
  ];
  const table = [
    '| implementation | passed | failed | different | skipped |',
    '| --- | --- | --- | --- | --- |',
    row(`val-emulator: ${Object.keys(FORMS).join(', ')}`, emulator),
    row('Prism 5.12 with docs/openapi.json', prism),
    row('json-server 0.17 with the default fixtures', jsonServer),
  ].join('\n');
  const page = readFileSync(new URL(PAGE, import.meta.url), 'utf8');
  await expect(fill(page, { scores: table })).toMatchFileSnapshot(PAGE);
});
