import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '#engine/http/node.js';
import { emulate } from '../../support/emulate.js';
import { refusal, run, says } from './cli.js';

async function serve(respond: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = await listen(respond, '127.0.0.1', 0);
  onTestFinished(() => server.close());
  return server.url;
}

const redirect = (to: string, status: number) =>
  serve((request, response) => void response.writeHead(status, { location: to + request.url }).end());

test.each([307, 308])('a command follows a redirect with status %i, with its method and its body', async (status) => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });
  const url = await redirect(emulator.url, status);
  expect(await run(['snapshot', 'save', 'one', '--url', url])).toEqual(says(`Took snapshot one of ${url}.`));
  expect(emulator.snapshots().map(({ name }) => name)).toEqual(['one']);
});

test.each([301, 302, 303])('a command follows a redirect of a POST with status %i as a GET', async (status) => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });
  const url = await redirect(emulator.url, status);
  // The list that a GET returns has no name.
  expect(await run(['snapshot', 'save', 'one', '--json', '--url', url])).toEqual(says('[]'));
  expect(emulator.snapshots()).toEqual([]);
});

test('a redirect without end, and one to another protocol, end with exit code 3', async () => {
  let count = 0;
  const url = await serve((_, response) => {
    count++;
    response.writeHead(302, { location: '/again' }).end();
  });
  expect(await run(['reset', '--url', url])).toEqual(
    refusal(/^val-emulator: No emulator at .*: too many redirects\./, 3),
  );
  expect(count).toBe(21);
  const other = await redirect('ftp://127.0.0.1', 302);
  expect(await run(['reset', '--url', other])).toEqual(refusal(/^val-emulator: No emulator at .*"ftp:"/, 3));
});

test('a body that breaks off, or that does not end in time, ends with exit code 3', async () => {
  const start = (response: ServerResponse) => response.writeHead(200, { 'content-length': 100 }).write('{"version"');
  const broken = await serve(({ socket }, response) => {
    start(response);
    setTimeout(() => socket.destroy(), 20);
  });
  expect(await run(['reset', '--url', broken])).toEqual(refusal(/: connection reset\. Start one/, 3));
  const slow = await serve((_, response) => void start(response));
  expect(await run(['reset', '--url', slow, '--timeout', '50ms'])).toEqual(
    refusal(`No response from ${slow} within 50 ms. Check the URL, or set a longer time limit.`, 3),
  );
});

test('a server that speaks no TLS, and a token that no header can have, end with exit code 3', async () => {
  const url = await serve((_, response) => void response.end('{}'));
  expect(await run(['reset', '--url', url.replace('http:', 'https:')])).toEqual(
    refusal(/: it does not speak TLS: use http:\/\/\. Start one/, 3),
  );
  expect(await run(['reset', '--url', url, '--control-token', 'a\nb'])).toEqual(
    refusal(/^val-emulator: No emulator at .*invalid/i, 3),
  );
});
