import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseImports } from '#vals/vals/imports.collection.js';
import { timeOnCpu } from '../../support/cpu.js';

const ADDRESS = 'https://esm.town/v/ada/hello';
const HELLO = { username: 'ada', name: 'hello' };

test.each([
  ['a static import', `import { greet } from "${ADDRESS}";`],
  ['single quotes', `import { greet } from '${ADDRESS}'`],
  ['a default import', `import greet, { type Greeting } from "${ADDRESS}";`],
  ['a namespace import', `import * as hello from "${ADDRESS}";`],
  ['an import over several lines', `import {\n  greet,\n  wave,\n} from\n  "${ADDRESS}";`],
  ['no whitespace', `import{greet}from"${ADDRESS}"`],
  ['an import for its effects', `import "${ADDRESS}";`],
  ['an import of types', `import type { Greeting } from "${ADDRESS}";`],
  ['a dynamic import', `const { greet } = await import("${ADDRESS}");`],
  ['a dynamic import in single quotes', `import('${ADDRESS}').then(console.log)`],
  ['a dynamic import of a template', `await import(\`${ADDRESS}\`)`],
  ['a template with a placeholder in the query', `await import(\`${ADDRESS}?v=\${n}\`)`],
  ['a template with placeholders and text in the query', `await import(\`${ADDRESS}?a=\${b}&v=\${\`\${n}\`}#x\`)`],
  ['a template with a placeholder in the fragment', `await import(\`${ADDRESS}#\${n}\`)`],
  ['a dynamic import with space and comments', `await import ( /* the greeter */\n  // it greets\n  "${ADDRESS}" )`],
  ['a re-export of some names', `export { greet as wave } from "${ADDRESS}";`],
  ['a re-export of all', `export * from "${ADDRESS}";`],
  ['a re-export as a namespace', `export * as hello from "${ADDRESS}";`],
  ['a pinned version', `import "${ADDRESS}?v=3";`],
  ['a fragment', `import "${ADDRESS}#main";`],
  ['attributes', `import hello from "${ADDRESS}" with { type: "json" };`],
  ['an extension', `import hello from "${ADDRESS}.ts";`],
  ['a slash at the end', `import hello from "${ADDRESS}/";`],
  ['require()', `import hello = require("${ADDRESS}");`],
  ['a hole of a template', `const text = \`\${await import("${ADDRESS}")}\`;`],
  ['a hole within a hole', `const text = \`a\${\`b\${await import("${ADDRESS}")}\`}\`;`],
  ['attributes of a dynamic import', `await import("${ADDRESS}", { with: { type: "json" } });`],
  ['a leading @', 'import "https://esm.town/v/@ada/hello";'],
  ['letters of another case', 'import "https://esm.town/v/Ada/HELLO";'],
  ['a comment before it', `/* ${ADDRESS} */ import "${ADDRESS}"; // "`],
  ['a comment of one line after a string with slashes', `const a = "//"; import "${ADDRESS}";`],
  ['a comment that closes at once', `/**/ import "${ADDRESS}";`],
  ['Windows line ends', `const a = 1; // it's one\r\nimport "${ADDRESS}";\r\n`],
])('%s is an import', (_name, code) => {
  expect(parseImports(code)).toStrictEqual([HELLO]);
});

test.each([
  ['a comment of one line', `// import "${ADDRESS}";`],
  ['a comment of several lines', `/*\n * import { greet } from "${ADDRESS}";\n */`],
  ['a comment in JSX', `const page = <p>{/* import "${ADDRESS}" */}</p>;`],
  ['a string', `const address = "${ADDRESS}";`],
  ['a string with an import in it', `const code = 'import { greet } from "${ADDRESS}"';`],
  ['a template with an import in it', `const code = \`import { greet } from "${ADDRESS}"\`;`],
  ['a template over several lines', `const code = \`\nimport "${ADDRESS}";\n\`;`],
  ['a string with an escaped quote', `const code = "\\" import '${ADDRESS}'";`],
  ['an argument', `fetch("${ADDRESS}"); Array.from("${ADDRESS}");`],
  ['import.meta', `import.meta.resolve("${ADDRESS}");`],
  ['the text of a template around a hole', `const text = \`import "${ADDRESS}" \${1}\`;`],
  ['an address with escaped slashes', 'import hello from "https:\\/\\/esm.town\\/v\\/ada\\/hello";'],
  ['a function that ends in require', `notrequire("${ADDRESS}")`],
  ['an attribute in JSX', `const link = <a href="${ADDRESS}">hello</a>;`],
  ['a property', `const edge = { from: "${ADDRESS}", import: "${ADDRESS}" };`],
  ['a variable called from', `const from = "${ADDRESS}";`],
  ['a template with a placeholder for the name', `await import(\`https://esm.town/v/ada/\${name}\`);`],
  ['a template with a placeholder in the name', `await import(\`${ADDRESS}\${number}\`);`],
  ['a template with a placeholder before a query', `await import(\`${ADDRESS}\${n}?v=1\`);`],
  ['an import that is cut off within the address', `import "${ADDRESS}`],
  ['an address that ends with another quote', `import "${ADDRESS}'`],
  ['an import after a comment that never ends', `/* import "${ADDRESS}";\nimport "${ADDRESS}";`],
  ['another module', 'import "https://esm.sh/hono"; import "npm:zod"; import "../model/hello.ts";'],
  ['a file below the val', 'import "https://esm.town/v/ada/hello/main.tsx";'],
  ['a similar host', 'import "https://esm.town.example/v/ada/hello"; import "https://esmXtown/v/ada/hello";'],
  ['an address within another', `import "https://esm.sh/${ADDRESS}";`],
  ['an insecure address', 'import "http://esm.town/v/ada/hello";'],
  [
    'a name that begins with a digit',
    'import "https://esm.town/v/ada/1hello"; import "https://esm.town/v/1ada/hello";',
  ],
  ['no name', 'import "https://esm.town/v/ada/"; import "https://esm.town/v/ada";'],
  ['no text', ''],
])('%s is not an import', (_name, code) => {
  expect(parseImports(code)).toStrictEqual([]);
});

test.each([
  ['JSX text with an apostrophe', "const page = <p>It's here, isn't it</p>;"],
  ['JSX text with one apostrophe', "const page = <p>\n  Don't\n</p>;"],
  ['JSX text with a double quote', 'const page = <p>3.5" disks</p>;'],
  ['JSX text with an address', 'const page = <p>see http://example.com</p>;'],
  ['a string that is not closed', 'const a = "never closed;'],
  ['a string that is not closed, in single quotes', "const a = 'never closed;"],
  ['a string with an escaped line break', "const a = 'one \\\n two';"],
  ['a template with strings in its placeholders', `const a = \`\${b ? "x" : \`y\${"z"}\`}\`;`],
  ['brackets that are not closed', 'function (((( { [ <'],
  ['a slash at the end of a line', 'const a = 1 /'],
  ['prose', "This isn't code at all; it's a note / a thought."],
])('an import after %s is found', (_name, code) => {
  expect(parseImports(`${code}\nimport { greet } from "${ADDRESS}";`)).toStrictEqual([HELLO]);
});

test.each([
  ['a regular expression with quotes', 'const quote = /["\'`]/g;'],
  ['a regular expression with a slash in a class', 'const path = text.split(/[/"]/);'],
  ['a regular expression with an escaped slash', 'const open = /\\/\\*"/.test(text);'],
  ['a returned regular expression', "const quoted = () => { return /'/ };"],
  ['a regular expression after an arrow', 'const quoted = () => /`/;'],
  ['a division', 'const half = total / 2 / count; const other = (a + b) / 2;'],
])('an import after %s is found, even on the same line', (_name, code) => {
  expect(parseImports(`${code} import { greet } from "${ADDRESS}"; const a = b / c;`)).toStrictEqual([HELLO]);
});

test('each val is found once, in any version and any case', () => {
  const code = `
    import { greet } from "https://esm.town/v/ada/hello?v=1";
    import { add } from "https://esm.town/v/grace/sum";
    export * from "https://esm.town/v/@ADA/Hello?v=2";
    await import("https://esm.town/v/ada/goodbye");
  `;

  expect(parseImports(code)).toStrictEqual([
    HELLO,
    { username: 'grace', name: 'sum' },
    { username: 'ada', name: 'goodbye' },
  ]);
});

test('names can contain $, _ and digits', () => {
  expect(parseImports('import "https://esm.town/v/$ada_1/_hello$2";')).toStrictEqual([
    { username: '$ada_1', name: '_hello$2' },
  ]);
});

test('any text can be parsed', () => {
  const piece = fc.constantFrom(
    '"',
    "'",
    '`',
    '/',
    '*',
    '\\',
    '\n',
    '${',
    '}',
    '[',
    '(',
    '<',
    '>',
    'import',
    ' from ',
    ADDRESS,
  );
  fc.assert(
    fc.property(fc.array(piece, { size: 'large' }), (pieces) => {
      for (const { username, name } of parseImports(pieces.join(''))) {
        expect(username).toBe('ada');
        expect(name).toMatch(/^hello/);
      }
    }),
    { numRuns: 500 },
  );
});

test.each(['"', "'", '`', '/', '\\', '/*', '//', '[', '=/[', '=/', '= /\\', '"\\', '<', '${`', "'\n", 'import ('])(
  '100,000 times %j is parsed in linear time',
  async (piece) => {
    expect(await timeOnCpu(() => parseImports(ADDRESS + piece.repeat(100_000)))).toBeLessThan(2_000);
  },
);
