import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import * as z from 'zod';

export const ROOT = resolve(import.meta.dirname, '../..');

const Packed = z.tuple([z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) })]);

/**
 * Packs what `npm test` has built into a folder, as it would be published.
 * @returns the path of the tarball, and the files in it
 */
export function pack(folder: string) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = Packed.parse(JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' })));
  return { tarball: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
}
