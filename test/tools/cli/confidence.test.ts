import { expect, test } from 'vitest';
import { run } from './cli.js';

test('print confidence prints the rows of a name, and what proves them', async () => {
  expect(await run(['print', 'confidence', 'comments'])).toEqual({
    stdout: [
      'kind        name                 client  engine     specification  record  chosen  limit',
      'route       GET /v1/me/comments  -       Fastify 4  1              3       3       -',
      'collection  comments             -       -          1              1       0       -',
      '',
    ].join('\n'),
    stderr: '',
    code: 0,
  });
});

test('print confidence says that no row has a name', async () => {
  const { stdout, code } = await run(['print', 'confidence', 'nothing']);
  expect([stdout, code]).toEqual(['Nothing has "nothing" in its name.\n', 0]);
});

test('--json has the sentences of each rule', async () => {
  const { stdout } = await run(['print', 'confidence', 'GET /v1/me/likes', '--json']);
  const { rows } = JSON.parse(stdout);
  expect(rows).toMatchObject([
    { kind: 'route', client: [], engine: ['Fastify 4'], specification: [expect.any(String)] },
  ]);
});
