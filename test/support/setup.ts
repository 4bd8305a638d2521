import { afterEach, expect, vi } from 'vitest';
import type { Handler } from '../../src/http/handler.js';
import { complaintAbout } from './conformance.js';

/** What answers in this test had against the API documents. */
const complaints: string[] = [];

// Every answer of every emulator comes from here, whatever transport carries it.
vi.mock(import('../../src/http/handler.js'), async (importOriginal) => {
  const { createHandler, ...rest } = await importOriginal();
  return { ...rest, createHandler: (options) => watched(createHandler(options)) };
});

const watched =
  (handle: Handler): Handler =>
  (request) => {
    const watch = <R extends Awaited<ReturnType<Handler>>>(response: R): R => {
      const complaint = complaintAbout(request, response);
      if (complaint !== undefined) complaints.push(complaint);
      return response;
    };
    const response = handle(request);
    return response instanceof Promise ? response.then(watch) : watch(response);
  };

afterEach(() => {
  expect(complaints.splice(0), 'answers that the API document does not allow').toEqual([]);
});
