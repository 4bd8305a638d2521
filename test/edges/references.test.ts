import { expect, test } from 'vitest';
import { emulate } from '../support/emulate.js';
import { readJson } from '../support/read-json.js';

const ADDRESS = 'https://esm.town/v/ada/hello';
const NAMELESS = '11111111-1111-4111-8111-111111111111';
const ADA = { headers: { authorization: 'Bearer ada-token' } };

/** Counts the references to ada/hello, as its author and as a reader of the val. */
async function countReferences(code: string) {
  const emulator = await emulate({
    users: [{ username: 'ada' }, { username: 'bob' }],
    vals: [
      { author: 'ada', name: 'hello', code: '1' },
      { author: 'bob', name: 'importer', code },
    ],
  });
  const list = await readJson(await emulator.fetch('/v1/me/references', ADA));
  const val = await readJson(await emulator.fetch('/v1/alias/ada/hello'));
  return [list.data.length, val.referenceCount];
}

test.each([
  ['in a hole of a template', `const text = \`\${await import("${ADDRESS}")}\`;`],
  ['in a hole within a hole', `const text = \`a\${\`b\${await import("${ADDRESS}")}\`}\`;`],
  ['by require()', `import hello = require("${ADDRESS}");`],
  ['with an extension', `import hello from "${ADDRESS}.ts";`],
  ['with a slash at the end', `import hello from "${ADDRESS}/";`],
])('an import %s was not a reference', async (_name, code) => {
  expect(await countReferences(code)).toEqual([1, 1]);
});

test.each([
  ['an address in import.meta.resolve()', `import.meta.resolve("${ADDRESS}")`],
  ['an address with escaped slashes', 'import hello from "https:\\/\\/esm.town\\/v\\/ada\\/hello";'],
  ['the text of a template around a hole', `const text = \`import "${ADDRESS}" \${1}\`;`],
  ['a function that ends in require', `notrequire("${ADDRESS}")`],
])('%s is not a reference', async (_name, code) => {
  expect(await countReferences(code)).toEqual([0, 0]);
});

test('an import of links.module of an author without a username was not a reference', async () => {
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
