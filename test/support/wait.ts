import { vi } from 'vitest';
import { PATIENCE } from './patience.js';

/** Waits until an assertion holds, however slow the machine is. */
export const waitFor = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: PATIENCE });
