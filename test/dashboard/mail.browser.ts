import { expect, test } from 'vitest';
import { openDashboard, startEmulator, useBrowser } from './support.js';

useBrowser();

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const HTML = `<h1 style="color: red">Ready</h1><img id="own" src="cid:pixel"><img src="http://127.0.0.1:1/foreign.png">
<script>document.querySelector('h1').textContent = 'Run';</script>`;

test('the page of an email has its HTML, without scripts and foreign requests', async () => {
  const emulator = await startEmulator({ fixtures: { users: [{ username: 'ada' }] } });
  emulator.add.email({ user: 'ada', to: 'Grace <grace@example.com>', subject: 'Older', text: 'It is\nready.' });
  emulator.add.email({
    ...{ user: 'ada', to: ['grace@example.com', 'linus@example.com'], subject: 'The report', html: HTML },
    attachments: [{ filename: 'pixel.png', type: 'image/png', contentId: 'pixel', base64: PIXEL }],
  });

  const page = await openDashboard(emulator, { hash: '#/mail', blocks: /foreign\.png|Blocked script execution/ });
  const loaded: string[] = [];
  page.on('response', (response) => loaded.push(response.url()));
  await page.getByRole('link', { name: /The report/ }).click();
  const frame = page.frameLocator('iframe[title="HTML of the email"]');
  await frame.getByRole('heading', { name: 'Ready' }).waitFor();

  const color = await frame
    .locator('h1')
    .evaluate((heading) => heading.ownerDocument.defaultView?.getComputedStyle(heading).color);
  expect(color).toBe('rgb(255, 0, 0)');
  expect(await frame.locator('#own').evaluate((image) => image.clientWidth)).toBe(1);
  expect(loaded.filter((url) => url.includes('foreign'))).toEqual([]);
  await page.getByText('grace@example.com, linus@example.com', { exact: true }).waitFor();
  const link = page.getByRole('link', { name: 'pixel.png' });
  expect(await link.getAttribute('href')).toBe(`data:image/png;base64,${PIXEL}`);

  await page.getByRole('link', { name: /Older/ }).click();
  await page.getByText('It is', { exact: false }).first().waitFor();
});

test('a blob is shown as JSON or as an image', async () => {
  const emulator = await startEmulator({
    fixtures: {
      users: [{ username: 'ada' }],
      blobs: [
        { user: 'ada', key: 'a/settings.json', json: { theme: 'dark' } },
        { user: 'ada', key: 'pixel.png', base64: PIXEL },
      ],
    },
  });

  const page = await openDashboard(emulator, { hash: '#/data/blobs' });
  await page.getByRole('link', { name: 'a/settings.json' }).click();
  await page.getByText('"theme"').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'pixel.png' }).click();
  const image = page.getByRole('img', { name: 'pixel.png' });
  await image.waitFor();

  expect(await image.evaluate((each) => each.clientWidth)).toBeGreaterThan(0);
});
