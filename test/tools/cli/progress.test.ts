import { Writable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createProgress } from '#tools/cli/progress.js';

test('measures each time of a step, also when a running emulator loads again', () => {
  let text = '';
  const stderr = new Writable({
    write(chunk, _, done) {
      text += chunk;
      done();
    },
  });
  const clock = vi.spyOn(performance, 'now');
  onTestFinished(() => clock.mockRestore());
  const progress = createProgress({ stderr });
  const show = (seconds: number, done: number, total: number) => {
    clock.mockReturnValue(seconds * 1_000);
    progress.show('loading', done, total, 'records');
  };
  show(0, 0, 10);
  show(1, 10, 10);
  progress.stop();
  // Small loads, long after: one that was refused in between.
  show(900, 0, 2);
  show(900, 1, 2);
  show(950, 0, 0);
  show(990, 1, 1);
  expect(text).toBe('');
  show(1_000, 0, 100);
  show(1_010, 50, 100);
  expect(text).toBe('val-emulator: loading 50 of 100 records, 50 %, 10 s left\n');
});
