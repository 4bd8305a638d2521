import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type as TypeBox } from 'typebox';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const { Type: Plain }: { Type: object } = await import(join(ROOT, 'scripts/plain-schemas.js'));

test('the bundles write schemas as TypeBox does', () => {
  const build = (Type: typeof TypeBox) =>
    Type.Object(
      {
        array: Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 2 }),
        enum: Type.Enum(['a', 'b'], { title: 'Letter' }),
        maybe: Type.Optional(Type.Boolean({ default: false })),
        none: Type.Null(),
        number: Type.Literal(1),
        object: Type.Object({ value: Type.Optional(Type.Number()) }),
        text: Type.Literal('a'),
        tuple: Type.Tuple([Type.String({ format: 'uri' })]),
        union: Type.Union([Type.String(), Type.Null()], { default: null }),
        unsafe: Type.Optional(Type.Unsafe<string>({ anyOf: [] })),
        void: Type.Void(),
      },
      { additionalProperties: false },
    );
  const plain = Reflect.apply(build, undefined, [Plain]);
  expect(JSON.stringify(plain)).toBe(JSON.stringify(build(TypeBox)));
  const used = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => readFileSync(join(ROOT, 'src', file), 'utf8').match(/\bType\.[A-Z]\w+/g) ?? []);
  expect([...new Set(used)].map((name) => name.slice('Type.'.length)).sort()).toEqual(Object.keys(Plain).sort());
});

test('the page about own APIs names the functions of Type that the declarations have', () => {
  const names = (text: string, of: RegExp) => Array.from(text.matchAll(of), ([, name = '']) => name).sort();
  const declared = readFileSync(join(ROOT, 'scripts/plain-schemas.d.ts'), 'utf8');
  const [, sentence = ''] =
    /^`Type` has these functions.*?, and no others: (.*?)\n\n?`val-emulator/ms.exec(
      readFileSync(join(ROOT, 'docs/own-api.md'), 'utf8'),
    ) ?? [];
  expect(names(sentence, /`(\w+)`/g)).toEqual(names(declared, /^ {2}make\w+ as (\w+),$/gm));
});
