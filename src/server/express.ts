import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';

/** Creates an Express application around a listener, to mount in a host application. */
export function createApp(listener: RequestListener): RequestListener {
  // Imported late: few programs mount the emulator, and Express takes longer to load than all of it.
  const express: typeof import('express') = createRequire(import.meta.url)('express');
  return express().disable('x-powered-by').disable('etag').use(listener);
}
