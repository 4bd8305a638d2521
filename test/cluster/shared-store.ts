import type { TestProject } from 'vitest/node';
import { hasRedis, startRedis } from './redis.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the store that the nodes of each emulator share. Provided if there are several. */
    readonly store?: string;
  }
}

/** Starts the store of a run, if Redis is installed. */
export default async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!hasRedis) return undefined;
  const redis = await startRedis(['--appendfsync', 'no']);
  provide('store', redis.url);
  return () => redis.stop();
}
