import { expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { as, emulate } from '../support/emulate.js';
import { invalid, notFound, unauthorized } from '../support/errors.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const HELLO = '4e110000-0000-4000-8000-000000000001';
const PARENT = '40400000-0000-4000-8000-000000000001';
const CHILD = '40400000-0000-4000-8000-000000000002';

const fixtures: Fixtures = {
  users: [{ username: 'ada', id: ADA }, { username: 'bob' }],
  vals: [{ author: 'ada', name: 'hello', id: HELLO, code: '1', privacy: 'public' }],
  runs: [
    { val: 'ada/hello', id: PARENT, runStartAt: '2024-06-11T22:00:00Z', runEndAt: null },
    {
      val: 'ada/hello',
      id: CHILD,
      parentId: PARENT,
      runStartAt: '2024-06-11T22:00:01Z',
      duration: '250ms',
      error: { message: 'boom', val: 'ada.hello' },
      emails: [{ to: 'bob@example.com' }],
      logs: ['one', { two: 2 }],
      returnValue: { deep: [1, null] },
      args: [1, 'two'],
    },
  ],
};

const val = {
  id: HELLO,
  name: 'hello',
  author: { id: ADA, username: 'ada' },
  author_id: ADA,
  username: 'ada',
  public: true,
  privacy: 'public',
  version: 0,
};

test('a run by its id has all that is known of it', async () => {
  const response = await as(await emulate(fixtures), 'ada').get(`/v1/runs/${CHILD}`);

  expect(response.status).toBe(200);
  expect(response.body).toStrictEqual({
    id: CHILD,
    error: { message: 'boom', val: 'ada.hello' },
    parentId: PARENT,
    runStartAt: '2024-06-11T22:00:01.000Z',
    runEndAt: '2024-06-11T22:00:01.250Z',
    val,
    emails: [{ to: 'bob@example.com' }],
    logs: ['one', { two: 2 }],
    returnValue: { deep: [1, null] },
    args: [1, 'two'],
  });
});

test('a run that goes on, and did nothing yet', async () => {
  const response = await as(await emulate(fixtures), 'ada').get(`/v1/runs/${PARENT}`);

  expect(response.body).toStrictEqual({
    id: PARENT,
    error: null,
    parentId: PARENT,
    runStartAt: '2024-06-11T22:00:00.000Z',
    runEndAt: null,
    val,
    emails: [],
    logs: [],
    returnValue: null,
    args: [],
  });
});

test('only the author of the val has its runs, even if it is public', async () => {
  const emulator = await emulate(fixtures);

  const other = await as(emulator, 'bob').get(`/v1/runs/${CHILD}`);
  expect(other.status).toBe(404);
  expect(other.body).toStrictEqual(notFound('The run was not found'));
  const anybody = await as(emulator).get(`/v1/runs/${CHILD}`);
  expect(anybody.body).toStrictEqual(unauthorized);
});

test('a run that does not exist, and an id that is none', async () => {
  const emulator = await emulate(fixtures);

  const missing = await as(emulator, 'ada').get(`/v1/runs/${HELLO}`);
  expect(missing.body).toStrictEqual(notFound('The run was not found'));
  const wrong = await as(emulator, 'ada').get('/v1/runs/1');
  expect(wrong.body).toStrictEqual(invalid('params/run_id must match format "uuid"'));
});

test('runs go with their val', async () => {
  const emulator = await emulate(fixtures);
  await as(emulator, 'ada').delete(`/v1/vals/${HELLO}`).expect(204);

  const response = await as(emulator, 'ada').get(`/v1/runs/${CHILD}`);

  expect(response.status).toBe(404);
});
