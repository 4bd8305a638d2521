import { expect, test } from 'vitest';
import { LoopTurns } from '#engine/http/waiting.js';

/** Works as long as a request that others do not wait for. */
function work(): void {
  const end = performance.now() + 60;
  while (performance.now() < end);
}

test('other events have their turn between requests that take long, which run in their order', async () => {
  const turns = new LoopTurns();
  const log: string[] = [];
  const runs = ['one', 'two', 'three'].map(async (name) =>
    turns.run(
      () => {
        work();
        log.push(name);
        setImmediate(() => log.push(`an event after ${name}`));
      },
      () => false,
    ),
  );

  await Promise.all(runs);

  expect(log).toStrictEqual(['one', 'an event after one', 'two', 'an event after two', 'three']);
});

test('a request runs at once when none before it took long', () => {
  expect(
    new LoopTurns().run(
      () => 'done',
      () => false,
    ),
  ).toBe('done');
});

test('a request that waits is dropped when its client disconnects', async () => {
  const turns = new LoopTurns();
  turns.run(work, () => false);
  const run = async () =>
    turns.run(
      () => expect.fail('it ran'),
      () => true,
    );

  await expect(run()).rejects.toThrow('The client has disconnected');
});
