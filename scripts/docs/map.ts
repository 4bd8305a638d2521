import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dirname, '../../src');
/** Characters before the descriptions. */
const WIDTH = 26;

const listFolders = (path: string): string[] =>
  readdirSync(join(SRC, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [path === '' ? entry.name : `${path}/${entry.name}`] : [],
  );

/** Returns what a folder is, as the title of its README says: `# engine: emulates an HTTP API`. */
function describeFolder(path: string): string {
  const name = path.slice(path.indexOf('/') + 1);
  const readme = join(SRC, path, 'README.md');
  const [first = ''] = existsSync(readme) ? readFileSync(readme, 'utf8').split('\n') : [];
  const text = first.startsWith(`# ${name}: `) ? first.slice(name.length + 4) : '';
  if (text !== '') return text.replaceAll('`', '');
  throw new Error(`src/${path}/README.md must begin with a line such as "# ${name}: …", which AGENTS.md shows`);
}

/**
 * Makes the tree of the folders of src, a line a folder.
 * @param layers bottom to top, as `engine/lib`: folders of one room come in this order, after those without a layer
 */
export function describeFolders(layers: readonly string[]): string {
  const rankOf = (path: string): number => layers.findIndex((layer) => layer === path || layer.startsWith(`${path}/`));
  const list = (path: string, depth: number): string[] =>
    listFolders(path)
      .sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
      .flatMap((folder) => {
        const name = `${'  '.repeat(depth)}${folder.slice(path === '' ? 0 : path.length + 1)}/`;
        return [`${name.padEnd(WIDTH)}${describeFolder(folder)}`, ...list(folder, depth + 1)];
      });
  return ['```', 'src/', ...list('', 1), '```'].join('\n');
}
