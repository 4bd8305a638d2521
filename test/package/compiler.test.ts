import { execFileSync } from 'node:child_process';
import typescript from 'typescript/package.json' with { type: 'json' };
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { ROOT } from './pack.js';

test('the scripts run the TypeScript that package.json names, and not one that a dependency brings', () => {
  const commands = Object.values(manifest.scripts).flatMap((script) => script.split(' && '));
  const compilers = new Set(commands.flatMap((command) => /^(.*\btsc)\b/.exec(command)?.[1] ?? []));

  expect([...compilers]).toEqual(['node node_modules/typescript/bin/tsc']);
  const [file = '', ...args] = [...compilers][0]?.split(' ') ?? [];
  expect(execFileSync(file, [...args, '-v'], { cwd: ROOT, encoding: 'utf8' })).toBe(`Version ${typescript.version}\n`);
});
