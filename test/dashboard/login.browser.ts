import { createServer } from 'node:http';
import type { Page } from '@playwright/test';
import { expect, onTestFinished, test } from 'vitest';
import type { Emulator } from '../../src/index.js';
import { expectAccessible, findViolations, openDashboard, openPage, startEmulator, useBrowser } from './support.js';

useBrowser();

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const FIXTURES = {
  users: [{ username: 'ada' }, { username: 'grace' }],
  clients: [
    {
      ...{ client_id: 'agent', client_name: 'An <agent>' },
      redirect_uris: ['http://127.0.0.1/callback'],
    },
  ],
};

/** Returns the address of a login that leads to a page of the emulator itself, as far as the browser sees. */
const toLogin = ({ url }: Emulator, parameters: Readonly<Record<string, string>> = {}): string =>
  `${url}/oauth/auth?${new URLSearchParams({
    ...{ client_id: 'agent', response_type: 'code', redirect_uri: `${url}/callback`, state: 's1' },
    ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256', scope: 'user_r sqlite_rw', ...parameters },
  })}`;

/** Returns the query of the callback to which a page has led. */
async function readCallback(page: Page): Promise<URLSearchParams> {
  await page.waitForURL(/\/callback\?/);
  return new URL(page.url()).searchParams;
}

async function exchange({ url }: Emulator, code: string | null) {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: 'agent', redirect_uri: `${url}/callback` },
      ...{ code: code ?? '', code_verifier: VERIFIER },
    }),
  });
  return Object(await response.json());
}

const widthOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth');

test.each(['light', 'dark'] as const)('the pages are accessible, on a phone as well, in %s colors', async (scheme) => {
  const emulator = await startEmulator({ fixtures: FIXTURES });
  const device = new URLSearchParams({ client_id: 'val_town_vt' });
  const response = await fetch(`${emulator.url}/oauth/device/auth`, { method: 'POST', body: device });
  const { verification_uri_complete: complete } = Object(await response.json());
  const pages = [
    toLogin(emulator),
    complete,
    `${emulator.url}/oauth/device`,
    `${emulator.url}/oauth/device?user_code=XXXX-XXXX`,
    `${emulator.url}/oauth/auth?client_id=nobody`,
  ];
  for (const width of [320, 1_280]) {
    for (const address of pages) {
      const page = await openPage(address, { colorScheme: scheme, width });
      expect(await findViolations(page)).toEqual([]);
      expect(await widthOf(page)).toBe(width);
      await page.close();
    }
  }
});

test('the page says who asks for what, and logs in the user that was chosen, with the scopes that are left', async () => {
  const emulator = await startEmulator({ fixtures: FIXTURES });
  const page = await openPage(toLogin(emulator));
  await page.getByRole('heading', { name: 'Log in to An <agent>' }).waitFor();
  const host = new URL(emulator.url).host;
  await page.getByText(`An <agent> (${host}) wants to act for a user of this emulator.`).waitFor();
  await page.getByRole('group', { name: 'It may' }).getByLabel('Read and change your databases').uncheck();
  await page.getByRole('button', { name: 'Log in as grace' }).click();
  const query = await readCallback(page);
  expect([query.get('state'), query.get('iss')]).toEqual(['s1', `${emulator.url}/oauth`]);
  const { scope, access_token: token } = await exchange(emulator, query.get('code'));
  expect(scope).toBe('user_r');
  const me = await fetch(`${emulator.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } });
  expect(Object(await me.json()).username).toBe('grace');
});

test('the keyboard alone logs in the user that the client expects', async () => {
  const emulator = await startEmulator({ fixtures: FIXTURES });
  const page = await openPage(toLogin(emulator, { login_hint: 'grace' }));
  const focused = page.locator(':focus');
  await focused.waitFor();
  expect(await focused.textContent()).toBe('Log in as grace');
  await page.keyboard.press('Tab');
  expect(await focused.textContent()).toBe('Deny');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  expect((await readCallback(page)).get('code')).toMatch(/^[\w-]{43}$/);
});

test('a user denies a login', async () => {
  const emulator = await startEmulator({ fixtures: FIXTURES });
  const page = await openPage(toLogin(emulator));
  await page.getByRole('button', { name: 'Deny' }).click();
  expect((await readCallback(page)).get('error')).toBe('access_denied');
});

test('a user types the code of a device, first a wrong one', async () => {
  const emulator = await startEmulator({ fixtures: FIXTURES });
  const form = new URLSearchParams({ client_id: 'val_town_vt', scope: 'user_r' });
  const response = await fetch(`${emulator.url}/oauth/device/auth`, { method: 'POST', body: form });
  const { user_code: code } = Object(await response.json());
  const page = await openPage(`${emulator.url}/oauth/device`);
  await page.keyboard.type('nonsense');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('The code you entered is incorrect. Try again.').waitFor();
  await page.keyboard.type(String(code).toLowerCase());
  await page.keyboard.press('Enter');
  await page.getByText(`vt (a device that shows ${code})`).waitFor();
  await page.getByRole('button', { name: 'Log in as ada' }).click();
  await page.getByText('The device is logged in as ada. You can close this page.').waitFor();
});

test('no page shows the login in a frame', async () => {
  const emulator = await startEmulator({ fixtures: FIXTURES });
  const html = `<iframe title="login" src="${toLogin(emulator).replaceAll('&', '&amp;')}"></iframe>`;
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const page = await openPage(`http://127.0.0.1:${port}/`, { blocks: /frame-ancestors|request to http/ });
  expect(await page.frameLocator('iframe').getByRole('button').count()).toBe(0);
});

test('the list of requests asks who logs in while a client waits', async () => {
  const emulator = await startEmulator({ fixtures: FIXTURES });
  const page = await openDashboard(emulator, { hash: '#/requests' });
  await page.getByText('No requests yet').waitFor();
  await fetch(toLogin(emulator));
  const bar = page.getByRole('region', { name: 'Waiting login' });
  await bar.getByText(`A client at ${new URL(emulator.url).host} waits for a login.`).waitFor();
  await expectAccessible(page);
  await bar.getByRole('button', { name: 'Log in as grace' }).click();
  const link = bar.getByRole('link', { name: `Continue at ${new URL(emulator.url).host}` });
  const back = new URL((await link.getAttribute('href')) ?? '');
  const { scope } = await exchange(emulator, back.searchParams.get('code'));
  expect(scope).toBe('user_r sqlite_rw');
  await bar.getByRole('button', { name: 'Close' }).click();
  await bar.waitFor({ state: 'detached' });

  await fetch(toLogin(emulator));
  await bar.getByRole('button', { name: 'Deny' }).click();
  const denied = new URL((await link.getAttribute('href')) ?? '');
  expect(denied.searchParams.get('error')).toBe('access_denied');
});
