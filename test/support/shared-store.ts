import type { TestProject } from 'vitest/node';
import { startRedis } from './redis.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the store that the nodes of each emulator share. Provided if there are several. */
    readonly store?: string;
  }
}

/** Starts the store of a run. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const redis = await startRedis(['--appendfsync', 'no']);
  provide('store', redis.url);
  return () => redis.stop();
}
