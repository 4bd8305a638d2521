import { readdirSync, readFileSync } from 'node:fs';
import { COMMANDS } from '#tools/cli/commands.js';
import { routes as apiRoutes } from '#vals/service/all.routes.js';
import { controlRoutes } from '#vals/service/service.control.js';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

/** Creates `llms.txt`, an overview for language models in 8 KB, from the routes, the commands and the documents. */
export function describeForModels(): string {
  const readme = read('README.md');
  const documented = controlRoutes.filter(({ isForPage }) => !isForPage);
  return `# val-emulator

> ${readIntroduction('README.md').text}

\`\`\`sh
npx val-emulator start
\`\`\`

\`start\` runs until Ctrl-C. In a script, or for an agent, \`val-emulator exec -- npm test\` runs one command with
VAL_EMULATOR_URL and VAL_EMULATOR_TOKEN. \`val-emulator start --detach\` prints one line of JSON when ready, and
\`val-emulator stop\` ends it. \`val-emulator mcp\` offers the emulator as tools ([docs/agents.md](docs/agents.md)).

Embed it in a test:

${findBlock(readme, 'ts')}

Set the base URL of your program to \`emulator.url\`, and its token to one of a user, such as \`ada-token\`. A base URL
\`<url>/_sandbox/<name>\` selects an isolated sandbox; the first request creates it.

## Seed data

A JSON file for \`--fixtures\`, or an object for \`createEmulator({ fixtures })\`. Other fields have defaults; tokens are
\`<username>-token\`:

\`\`\`json
{
  "users": [{ "username": "ada" }, { "username": "grace", "tier": "pro" }],
  "vals": [{ "author": "ada", "name": "hello", "code": "export const hello = 1;", "privacy": "public" }],
  "runs": [{ "val": "ada/hello", "runStartAt": "-10m", "error": "No name given" }],
  "likes": [{ "user": "grace", "val": "ada/hello" }],
  "comments": [{ "author": "grace", "val": "ada/hello", "comment": "Nice" }],
  "sqlite": [{ "user": "ada", "sql": "CREATE TABLE todos (title TEXT)", "rows": { "todos": [{ "title": "Rest" }] } }]
}
\`\`\`

## Faults and expectations

\`\`\`ts
emulator.fail('POST /v1/vals', { status: 503, times: 2, headers: { 'Retry-After': '1' }, delay: '100ms' });
emulator.expectRequest('POST /v1/vals', { body: { name: 'report' }, times: 1 }); // throws with the near misses
emulator.expectSequence(['POST /v1/vals', { route: 'GET /v1/me', status: 200 }]); // in this order
emulator.expectNoOther(); // all were expected above
emulator.expectEmail({ subject: 'Welcome' });
emulator.expectToolCall('create_file', { val: 'ada/site' }); // of the MCP server
await emulator.makeTest('last'); // a test of the last request; val-emulator make-test last
\`\`\`

\`\`\`sh
val-emulator fail 'POST /v1/vals' --status 503 --times 2
val-emulator expect 'POST /v1/vals' --body '{"name":"report"}' --times 1
curl -d '{"route":"POST /v1/vals","status":503,"times":2}' -H 'content-type: application/json' $URL/_emulator/faults
\`\`\`

## Routes

${describeRoutes(apiRoutes.filter(({ path }) => !isOfProjects(path) && !isOfServices(path)))}

Email, blobs, SQLite and telemetry (runs as traces and logs), below \`/v1\`:
${listPaths(apiRoutes.filter(({ path }) => isOfServices(path)))}

Projects (files in branches), below \`/v2\`:
${listPaths(apiRoutes.filter(({ path }) => isOfProjects(path)))}

## Control API

Methods do the same. The most used of ${documented.length} routes in [docs/control.md](docs/control.md), below \`/_emulator\`:

${describeRoutes(documented.filter(({ tool }) => tool)).replaceAll(' /_emulator/', ' /')}

## Commands

${describeCommands()}

## Docs

${['README.md', ...listPages('docs')].map(linkTo).join(', ')}. Setups: [docs/recipes](docs/recipes/README.md).
`;
}

const describeRoutes = (routes: readonly { readonly name: string; readonly summary: string }[]): string =>
  routes.map(({ name, summary }) => `- \`${name}\`: ${summary}`).join('\n');

const isOfProjects = (path: string): boolean => path.startsWith('/v2/');

const isOfServices = (path: string): boolean => /^\/v1\/(?:email|blob|sqlite|telemetry)\b/.test(path);

/** Lists paths below `/v1` or `/v2` with their methods, on one line. */
function listPaths(routes: readonly { readonly method: string; readonly path: string }[]): string {
  const paths = [...new Set(routes.map(({ path }) => path))];
  const methodsOf = (path: string) => routes.filter((route) => route.path === path).map(({ method }) => method);
  return paths.map((path) => `\`${methodsOf(path).join(' ')} ${path.slice('/v1'.length)}\``).join(', ');
}

/** Lists the names of the commands by group. */
function describeCommands(): string {
  const groups = new Set(COMMANDS.map(({ group }) => group));
  const list = (group: string) =>
    COMMANDS.filter((command) => command.group === group)
      .map(({ usage }) => `\`${usage}\``)
      .join(', ');
  return [...groups].map((group) => `- ${group}: ${list(group)}`).join('\n');
}

/** The package has no page for contributors alone. */
const { files: packageFiles }: { files: string[] } = JSON.parse(read('package.json'));

/** Lists the pages of a folder that the package has. */
const listPages = (folder: string): string[] =>
  readdirSync(new URL(`${folder}/`, ROOT))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `${folder}/${file}`)
    .filter((path) => !packageFiles.includes(`!${path}`));

const linkTo = (path: string): string => `[${readIntroduction(path).title.replace(/:.*/, '')}](${path})`;

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
