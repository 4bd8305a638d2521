import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const list = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => !path.includes('node_modules'));

/** What has the names of the project. */
const FOLDERS = [
  'src',
  'test',
  'scripts',
  'dashboard',
  'bench',
  'docs',
  'fixtures',
  'examples',
  'deploy',
  'skills',
  'schema',
];
const FILES = [...FOLDERS, ...['.ci', '.github'].filter((folder) => existsSync(join(ROOT, folder)))].flatMap(list);
const ROOMS = ['engine', 'vals', 'cluster', 'tools'];
/** What people and agents read before they change something. */
const READ_FIRST = [
  ...['AGENTS.md', 'CONTRIBUTING.md', 'llms.txt'],
  ...FILES.filter((path) => /^(?:skills|docs\/decisions|src)\/.*\.md$/.test(path)),
];
/** Names in these documents that are not of this project, or no longer, as their sentences say. */
const ELSEWHERE = [
  ...['LocalResponse', 'onDelete', 'privateOnly', 'putVals'],
  ...['PosixMmapReadableFile', 'adoptedStyleSheets', 'verifyNoMoreInteractions'],
];

const CODE = ['package.json', ...FILES].filter(
  (path) => /\.(?:[cm]?[jt]sx?|json|ya?ml)$/.test(path) && statSync(join(ROOT, path)).isFile(),
);
// This test names what is elsewhere.
const WORDS = new Set(
  CODE.filter((path) => !path.endsWith('docs/names.test.ts')).flatMap((path) => read(path).match(/[\w$]+/g) ?? []),
);

/** Lists the texts in backticks, without blocks. */
const listNames = (page: string): string[] =>
  [...page.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);

/** Writes `a/{b,c}` as two paths. */
function expand(path: string): string[] {
  const [braces, names = ''] = /\{([^}]*)\}/.exec(path) ?? [];
  return braces === undefined ? [path] : names.split(',').flatMap((name) => expand(path.replace(braces, name.trim())));
}

/** Whether a path of the project is one of the tree: from its root, from `src`, or from the folder of the page. */
function isFound(path: string, page: string): boolean {
  const plain = path.replace(/^#/, '').replace(/\/$/, '');
  const pattern = plain
    .replaceAll(/[.+$()[\]]/g, '\\$&')
    .replaceAll(/<\w+>|\*/g, '[^/]+')
    .replace(/\\\.js$/, '\\.[jt]s');
  const bases = ['', 'src/', page.replace(/[^/]*$/, '')].map((base) => base.replaceAll('.', '\\.'));
  const wanted = new RegExp(`^(?:${bases.join('|')})${pattern}(?:\\.tsx?)?$`);
  return FILES.some((file) => wanted.test(file));
}

/** Whether a text is a path of this project, and none of a package, a URL or a record. */
function isPath(text: string, page: string): boolean {
  if (!/^#?[\w.-]+(?:\/[\w.<>{},*-]+)+\/?$/.test(text)) return false;
  const [first = ''] = text.replace(/^#/, '').split('/');
  const beside = page.startsWith('src/') ? readdirSync(join(ROOT, page, '..')) : [];
  return [...FOLDERS, ...ROOMS, '.ci', '.github', ...beside].includes(first);
}

function findMissing(page: string, text: string): string[] {
  const names = listNames(text);
  const paths = names.filter((name) => isPath(name, page)).flatMap(expand);
  const identifiers = names.flatMap(
    (name) => /^#?((?:\w+\.)*\w*[a-z][A-Z]\w*)(?:\(.*\))?$/.exec(name)?.[1]?.split('.') ?? [],
  );
  // As in a list of files with their functions.
  const members = [...text.matchAll(/`([^`\n]+\.tsx?)`: `(\w+)`/g)].flatMap(([, path = '', name = '']) =>
    FILES.filter((file) => file.endsWith(path)).some((file) => new RegExp(`\\b${name}\\b`).test(read(file)))
      ? []
      : [`${path}: ${name}`],
  );
  const scripts = [...text.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = '']) => name);
  const known = Object.keys(JSON.parse(read('package.json')).scripts);
  return [
    ...paths.filter((path) => !isFound(path, page)),
    ...identifiers.filter((name) => !WORDS.has(name) && !ELSEWHERE.includes(name)),
    ...members,
    ...scripts.filter((name) => !known.includes(name)).map((name) => `npm run ${name}`),
  ];
}

test.each(READ_FIRST)('%s names paths, identifiers and scripts that exist', (page) => {
  expect(findMissing(page, read(page))).toEqual([]);
});

test('a name that does not exist is found', () => {
  const page = `
    \`findCallerOfNone\`, \`engine.findNobody(a)\`, \`vals/users/users.rules.ts\`: \`findCaller\`, \`engine/state/callers.ts\`: \`identify\`, \`vals/generator.ts\`, \`src/{engine,nowhere}\`, \`#vals/nothing.js\`, \`npm run nothing\`
    \`identify\`, \`vals/generator\`, \`src/vals/<noun>/<name>.collection.ts\`, \`#engine/lib/time.js\`, \`author/name\`, \`npm run check\`
    \`@redis/client\`, \`adoptedStyleSheets\`, \`Content-Type\`, \`engine/lib/{time,json}.ts\`, \`docs/recipes/\`
  `;

  expect(findMissing('AGENTS.md', page)).toEqual([
    ...['vals/generator.ts', 'src/nowhere', '#vals/nothing.js', 'findCallerOfNone', 'findNobody'],
    ...['vals/users/users.rules.ts: findCaller', 'npm run nothing'],
  ]);
  expect(findMissing('src/vals/README.md', '`users/users.rules.ts` `users/nobody.rules.ts`')).toEqual([
    'users/nobody.rules.ts',
  ]);
});
