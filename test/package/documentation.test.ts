import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { expect, test } from 'vitest';
import { ROOT } from './pack.js';

const TYPES = join(ROOT, 'dist/types');
const PROGRAM = join(TYPES, 'program.ts');
const CODE = `
import type { Emulator, Sandbox } from './index.js';
import type { RemoteSandbox } from './tools/client/index.js';
export declare const emulator: Emulator;
export declare const sandbox: Sandbox;
export declare const remote: RemoteSandbox;
`;

const NONE: ReadonlyMap<string, string> = new Map();

/** Reads what an editor shows of each member of the three kinds of sandboxes, by the name of the member. */
function readDocumentation(): Readonly<Record<string, ReadonlyMap<string, string>>> {
  const options: ts.CompilerOptions = {
    ...{
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
    },
    ...{ types: ['node'], strict: true, skipLibCheck: true, noEmit: true },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => file === PROGRAM || fileExists(file);
  host.getSourceFile = (file, version, ...args) =>
    file === PROGRAM ? ts.createSourceFile(file, CODE, version) : getSourceFile(file, version, ...args);
  const program = ts.createProgram([PROGRAM], options, host);
  const checker = program.getTypeChecker();
  const statements = program.getSourceFile(PROGRAM)?.statements.filter(ts.isVariableStatement) ?? [];
  const variables = statements.flatMap(({ declarationList }) => declarationList.declarations);
  return Object.fromEntries(
    variables.map((variable) => {
      const members = checker.getPropertiesOfType(checker.getTypeAtLocation(variable));
      const texts = members
        .filter(({ name }) => /^\w+$/.test(name) && !name.startsWith('__'))
        .map((member) => {
          const tags = member
            .getJsDocTags(checker)
            .map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`);
          return [
            member.name,
            [ts.displayPartsToString(member.getDocumentationComment(checker)), ...tags].join('\n'),
          ] as const;
        });
      return [variable.name.getText(), new Map(texts)];
    }),
  );
}

test('editors show the documentation of each member of a sandbox, of this process and of another one', () => {
  const { emulator = NONE, sandbox = NONE, remote = NONE } = readDocumentation();
  const listBare = (members: ReadonlyMap<string, string>) =>
    [...members].flatMap(([name, text]) => (text === '' ? name : []));

  expect([emulator.size, sandbox.size, remote.size].map((size) => size > 30)).toEqual([true, true, true]);
  // Their names say it.
  expect({ emulator: listBare(emulator), sandbox: listBare(sandbox), remote: listBare(remote) }).toEqual({
    emulator: ['snapshots'],
    sandbox: ['snapshots'],
    remote: ['snapshots'],
  });
  expect(remote.get('history')).toBe(sandbox.get('history'));
  expect(remote.get('rewind')).toMatch(/^Goes back to just before a commit\. [\s\S]*\n@param to number of commits/);
  expect(remote.get('expectRequest')).toMatch(
    /^Asserts that a route was called, and returns the last request that matches\./,
  );
  expect(sandbox.get('fork')).toMatch(/^Creates a sandbox with a state of this one and its seed\./);
});
