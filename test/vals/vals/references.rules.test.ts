import { expect, test } from 'vitest';
import { emulate } from '../../support/emulate.js';
import { readJson } from '../../support/read-json.js';

const NAMELESS = '11111111-1111-4111-8111-111111111111';

test('an import of links.module of an author without a username is a reference', async () => {
  const emulator = await emulate({
    users: [{ username: null, id: NAMELESS, token: 'nameless-token' }, { username: 'bob' }],
    vals: [{ author: NAMELESS, name: 'anon', code: '1', id: '00000000-0000-4000-8000-000000000001' }],
  });
  const read = async () => {
    const response = await emulator.fetch('/v1/vals/00000000-0000-4000-8000-000000000001');
    return JSON.parse(await response.text());
  };
  const { module } = (await read()).links;
  expect(module).toBe(`https://esm.town/v/${NAMELESS}/anon?v=0`);

  emulator.add.val({ author: 'bob', name: 'importer', code: `import "${module}";` });

  expect(await read()).toMatchObject({ referenceCount: 1 });
  const list = await emulator.fetch('/v1/me/references', { headers: { authorization: 'Bearer nameless-token' } });
  expect(await readJson(list)).toMatchObject({
    data: [{ reference: { name: 'importer' }, dependsOn: { name: 'anon' } }],
  });
});
