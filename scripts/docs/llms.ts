import { readdirSync, readFileSync } from 'node:fs';
import { COMMANDS } from '../../src/cli/commands.js';
import { controlRoutes } from '../../src/control/routes.js';
import { formatTable, routesTable } from './tables.js';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

/** Creates `llms.txt`, an overview for language models, from the help texts and the documents. */
export function describeForModels(): string {
  const readme = read('README.md');
  return `# val-emulator

> ${readIntroduction('README.md').text}

Start it, by default on port 4010:

${findBlock(readme, 'sh')}

It runs until Ctrl-C. In scripts, \`val-emulator start --detach\` prints one line of JSON when ready, and \`val-emulator stop\`
ends it; \`val-emulator exec npm test\` runs one command with an emulator of its own.

Embed it in a test:

${findBlock(readme, 'ts')}

Set the base URL of your program to \`emulator.url\`, and its token to the token of a user, such as \`ada-token\`. A base URL
\`<url>/_sandbox/<name>\` selects an isolated sandbox; the first request creates it.

## Routes

${routesTable()}

## Control API

Methods of the emulator and of each sandbox do the same: [docs/control.md](docs/control.md).

${formatTable(
  ['request', 'what it does'],
  controlRoutes.map(({ name, summary }) => [`\`${name}\``, summary]),
)}

## Commands

${COMMANDS.map(({ usage, describe }) => `- \`val-emulator ${usage}\`: ${describe}`).join('\n')}

## Docs

${['README.md', 'CONTRIBUTING.md', ...listPages('docs')].map(linkTo).join('\n')}

## Recipes

${listPages('docs/recipes')
  .filter((path) => !path.endsWith('README.md'))
  .map(linkTo)
  .join('\n')}
`;
}

const listPages = (folder: string): string[] =>
  readdirSync(new URL(`${folder}/`, ROOT))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `${folder}/${file}`);

const linkTo = (path: string): string => {
  const { title, text } = readIntroduction(path);
  return `- [${title}](${path}): ${/^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text}`;
};

/** Reads the title of a page, and its first paragraph on one line, without links. */
function readIntroduction(path: string): { readonly title: string; readonly text: string } {
  const [, title = '', paragraph = ''] = /^# (.*)\n\n([\s\S]*?)\n\n/.exec(read(path)) ?? [];
  if (paragraph === '') throw new Error(`${path}: expected a title, then a paragraph`);
  return { title, text: paragraph.replaceAll('\n', ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1') };
}

/** Finds the first block of a language on a page. */
function findBlock(page: string, language: string): string {
  const [block] = new RegExp(`^\`\`\`${language}\n[\\s\\S]*?^\`\`\`$`, 'm').exec(page) ?? [];
  if (block === undefined) throw new Error(`README.md: expected a block of the language ${language}`);
  return block;
}
