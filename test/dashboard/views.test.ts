import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COLLECTION_NAMES } from '#vals/service/service.collection.js';

const VIEWS = join(import.meta.dirname, '../../dashboard/src/pages/data/views');

test('each view has the name of a collection', () => {
  const names = readdirSync(VIEWS).map((file) => file.replace(/\.tsx$/, ''));
  const known: readonly string[] = COLLECTION_NAMES;
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
  expect(names).toContain('branches');
});
