import { expect, test } from 'vitest';
import { checkConformance } from '../../../src/fidelity/conformance/index.js';
import { hasRedis } from '../../cluster/redis.js';
import { FORMS, ON_REDIS } from './forms.js';

if (!hasRedis) console.warn(`Without redis-server, the cases do not run on ${ON_REDIS}.`);

// The black-box suite of /v1: all cases, in each way that the emulator can be run.
for (const [name, start] of Object.entries(FORMS)) {
  test.skipIf(name === ON_REDIS && !hasRedis)(`passes all cases of /v1: ${name}`, { timeout: 120_000 }, async () => {
    const { close, ...target } = await start();
    try {
      const { entries, remarks } = await checkConformance({ ...target, level: 'limits', timeout: 10_000 });
      const others = entries.filter(({ outcome }) => outcome !== 'passed');
      expect(others.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
      expect(entries.length).toBeGreaterThan(300);
      expect(remarks).toEqual([]);
    } finally {
      await close();
    }
  });
}
