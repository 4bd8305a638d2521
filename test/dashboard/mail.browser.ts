import { expect, test } from 'vitest';
import { expectAccessible, openDashboard, startEmulator, useBrowser } from './support.js';

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
  await expect.poll(() => frame.locator('#own').evaluate((image) => image.clientWidth)).toBe(1);
  expect(loaded.filter((url) => url.includes('foreign'))).toEqual([]);
  await page.getByText('grace@example.com, linus@example.com', { exact: true }).waitFor();
  const link = page.getByRole('link', { name: 'pixel.png' });
  await expect.poll(() => link.getAttribute('href')).toBe(`data:image/png;base64,${PIXEL}`);

  await page.getByRole('link', { name: /Older/ }).click();
  await page.getByText('It is', { exact: false }).first().waitFor();
});

test('links of an email open in another tab without a referrer, and its links and codes are listed', async () => {
  const emulator = await startEmulator({ fixtures: { users: [{ username: 'ada' }] } });
  const target = `${emulator.url}/v1/nowhere?confirm=1&user=ada`;
  const html = `<!doctype html><p>Your code is <b>4711</b>.</p><a href="${target.replace('&', '&amp;')}" target="_self">Confirm</a>
<a href="javascript:alert(1)">Script</a><a href="data:text/html,x">Data</a>`;
  emulator.add.email({ user: 'ada', to: 'grace@example.com', subject: 'Welcome', html, text: `Go to ${target}.` });
  emulator.add.email({ user: 'ada', to: 'linus@example.com', subject: 'Other', text: 'Your code: 123456 (2026).' });

  const page = await openDashboard(emulator, { hash: '#/mail', blocks: /Blocked script execution/ });
  await page.getByLabel('Search emails').fill('grace confirm');
  await page.getByRole('link', { name: /Other/ }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /Welcome/ }).click();
  const detail = page.getByRole('region', { name: 'Email' });
  const listed = detail.locator('.mail-files').getByRole('link');
  await expect
    .poll(() => listed.evaluateAll((links) => links.map((link) => link.getAttribute('href'))))
    .toEqual([target]);
  await detail.getByText('4711', { exact: true }).waitFor();
  await expectAccessible(page);

  for (const open of [
    page.frameLocator('iframe[title="HTML of the email"]').getByRole('link', { name: 'Confirm' }),
    listed.first(),
    detail.locator('.code').getByRole('link', { name: target }),
  ]) {
    if ((await open.count()) === 0) await detail.getByRole('button', { name: 'Text', exact: true }).click();
    // A frame without scripts has no animation frames, for which a click would wait.
    const box = await open.boundingBox();
    if (!box) throw new Error('the link is not visible');
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.mouse.click(box.x + 5, box.y + 5)]);
    await tab.waitForURL(target);
    expect(await tab.evaluate('window.opener')).toBeNull();
    await tab.close();
  }
  const sent = emulator.requests({ path: '/v1/nowhere?confirm=1&user=ada' });
  expect(sent.map(({ request }) => request.headers.referer)).toEqual([undefined, undefined, undefined]);

  await detail.getByRole('button', { name: 'Source', exact: true }).click();
  await detail.getByText('<!doctype html>').waitFor();
  await detail.getByRole('button', { name: 'HTML', exact: true }).click();
  await page.getByRole('button', { name: 'Phone width' }).click();
  await expect.poll(() => page.locator('iframe').evaluate((frame) => frame.clientWidth)).toBeLessThanOrEqual(375);
  await page.getByLabel('Search emails').fill('');
  await page.getByRole('link', { name: /Other/ }).click();
  await detail.getByText('123456', { exact: true }).waitFor();
  await expect.poll(() => detail.getByText('2026', { exact: true }).count()).toBe(0);
});

test('what an email has of other hosts is loaded on request only', async () => {
  const emulator = await startEmulator({ fixtures: { users: [{ username: 'ada' }] } });
  const address = (name: string) => `${emulator.url}/v1/${name}`;
  const html = `<style>@import '${address('style.css')}'; body { color: red }</style><p>Hello</p>
<img src="${address('image.png')}"><script src="${address('script.js')}"></script>`;
  emulator.add.email({ user: 'ada', to: 'grace@example.com', subject: 'Remote', html });
  emulator.add.email({ user: 'ada', to: 'grace@example.com', subject: 'Plain', html: '<p>Nothing</p>' });
  const loaded = () => emulator.requests().map(({ path }) => path);

  const page = await openDashboard(emulator, { hash: '#/mail', blocks: /Content Security Policy|Blocked script/ });
  await page.getByRole('link', { name: /Remote/ }).click();
  await page.frameLocator('iframe').getByText('Hello').waitFor();
  expect(loaded()).toEqual([]);
  await page.getByRole('button', { name: 'Load remote images' }).click();
  await expect.poll(loaded).toEqual(expect.arrayContaining(['/v1/image.png', '/v1/style.css']));
  expect(loaded()).not.toContain('/v1/script.js');

  await page.getByRole('link', { name: /Plain/ }).click();
  await page.frameLocator('iframe').getByText('Nothing').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Load remote images' }).count()).toBe(0);
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

  await expect.poll(() => image.evaluate((each) => each.clientWidth)).toBeGreaterThan(0);
});
