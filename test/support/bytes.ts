import { onTestFinished, vi } from 'vitest';
import { StoredBytes } from '#engine/sandbox/stored-bytes.js';
import type { Emulator } from '../../src/index.js';

/** Bounds the bytes of an emulator with its sandboxes, until the end of the test. Other emulators are bound by the same. */
export function boundBytes(emulator: Emulator, limit: number): void {
  const { assertRoom } = StoredBytes.prototype;
  const small = new StoredBytes(
    () => [emulator, ...emulator.sandboxes().map(({ name }) => emulator.sandbox(name))],
    limit,
  );
  const spy = vi.spyOn(StoredBytes.prototype, 'assertRoom').mockImplementation(assertRoom.bind(small));
  onTestFinished(() => spy.mockRestore());
}
