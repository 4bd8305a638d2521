import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import type * as emulator from '../../src/index.js';
import { access } from './planted/access.js';
import type { Difference } from './planted/difference.js';
import { lists } from './planted/lists.js';
import { shapes } from './planted/shapes.js';
import { vals } from './planted/vals.js';

/** Twenty known differences from the emulator, for tests of comparisons. */
export const DIFFERENCES: readonly Difference[] = [...shapes, ...lists, ...access, ...vals];

const ROOT = join(import.meta.dirname, '../..');
const SRC = join(ROOT, 'src');

/**
 * Builds the emulator with some of the differences, and loads it.
 * @param ids default: all
 * @throws Error for an unknown id, and for one whose text does not occur once
 */
export async function buildPlanted(
  ids: readonly string[] = DIFFERENCES.map(({ id }) => id),
): Promise<Pick<typeof emulator, 'createEmulator'>> {
  const texts = new Map<string, string>();
  for (const difference of ids.map(getDifference)) {
    const path = join(SRC, difference.file);
    texts.set(path, plant(texts.get(path) ?? readFileSync(path, 'utf8'), difference));
  }
  const bundle = await rolldown({
    input: join(SRC, 'index.ts'),
    platform: 'node',
    external: /^[^./]/,
    resolve: { extensionAlias: { '.js': ['.ts'] } },
    plugins: [
      {
        name: 'planted',
        load: (path) => {
          const code = texts.get(path);
          return code === undefined ? undefined : { code, moduleType: 'ts' };
        },
      },
    ],
  });
  const folder = mkdtempSync(join(ROOT, '.planted-'));
  // The emulator finds the files of the package two folders above its modules.
  const file = join(folder, 'lib/index.js');
  try {
    await bundle.write({ file, codeSplitting: false });
    return await import(pathToFileURL(file).href);
  } finally {
    await bundle.close();
    rmSync(folder, { recursive: true });
  }
}

function getDifference(id: string): Difference {
  const found = DIFFERENCES.find((difference) => difference.id === id);
  if (!found) throw new Error(`There is no planted difference ${id}.`);
  return found;
}

/** Changes the text of a module. @throws Error if the text to replace does not occur once */
export function plant(text: string, { id, file, find, replace }: Difference): string {
  const parts = text.split(find);
  if (parts.length === 2) return parts.join(replace);
  throw new Error(`The text of the planted difference ${id} occurs ${parts.length - 1} times in src/${file}: ${find}`);
}
