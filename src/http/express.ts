import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';

/** An Express application that answers as `listener` does, to mount in another one. */
export function createApp(listener: RequestListener): RequestListener {
  // Loaded here, as few programs mount the emulator and every program waits for what is loaded at its start.
  const express: typeof import('express') = createRequire(import.meta.url)('express');
  return express().disable('x-powered-by').disable('etag').use(listener);
}
