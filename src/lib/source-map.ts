import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { packageFile } from './package.js';

/** A position in a module of a stack: `file:///app/index.js:10:5` or `/app/index.cjs:10:5`. */
const POSITION = /((?:file:\/\/)?(?:[A-Za-z]:)?[\\/][^():\n]*\.c?js):(\d+):(\d+)/g;

/**
 * Replaces the positions in bundles of this package by those in TypeScript: `val-emulator/src/api/router.ts:40:5`. It reads
 * the source maps when it is called, since Node would read them all at the start.
 */
export function mapStack(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replace(POSITION, (position, file: string, line: string, column: string) => {
    if (!maps.has(file)) maps.set(file, readMap(file.startsWith('file:') ? fileURLToPath(file) : file));
    const origin = maps.get(file)?.findOrigin(Number(line), Number(column));
    if (!origin || !('fileName' in origin) || !origin.fileName) return position;
    return `${origin.fileName.replace(/^(?:\.\.\/)+/, 'val-emulator/')}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

function readMap(path: string): SourceMap | undefined {
  const isOurs = path.startsWith(fileURLToPath(packageFile('dist')));
  return isOurs && existsSync(`${path}.map`)
    ? new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')))
    : undefined;
}
