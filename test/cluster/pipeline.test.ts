import { expect, test } from 'vitest';
import { findRunKind } from '#cluster/pipeline.js';
import { locate } from '#engine/http/paths.js';

test.each([
  ['GET', '/v1/me', 'read'],
  ['HEAD', '/v1/me', 'read'],
  ['POST', '/v1/vals', 'write'],
  ['OPTIONS', '/v1/vals', 'write'],
  ['GET', '/_emulator/requests', 'control'],
  ['HEAD', '/_emulator/requests?user=ada', 'control'],
  ['GET', '/_emulator/health', undefined],
])('on a shared store, %s %s has the kind %s', (method, target, kind) => {
  expect(findRunKind({ method, ...locate(method, target) })).toBe(kind);
});
