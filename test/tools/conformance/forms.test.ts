import { test } from 'vitest';
import { hasRedis } from '../../cluster/redis.js';
import { FORMS, ON_REDIS } from './forms.js';
import { expectConformance } from './target.js';

if (!hasRedis) console.warn(`Without redis-server, the cases do not run on ${ON_REDIS}.`);

// The black-box suite of /v1: all cases, in each way that the emulator can be run.
for (const [name, start] of Object.entries(FORMS)) {
  test.skipIf(name === ON_REDIS && !hasRedis)(`passes all cases of /v1: ${name}`, async () =>
    expectConformance(await start()),
  );
}
