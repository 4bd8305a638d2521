// A dry run of a release: one version everywhere, the notes, server.json, and what `npm publish` would send.
//
//   npm run check -- release

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { ROOT } from '../run.js';

const read = (file) => readFileSync(join(ROOT, file), 'utf8');
const readJson = (file) => JSON.parse(read(file));

/** What a release may not send: sources, tests, and what only this project reads. */
const PRIVATE = /^(?:src|test|scripts|bench|build|node_modules|docs\/decisions|\.)/;

const manifest = readJson('package.json');
const { version } = manifest;
const notes = readNotes(read('CHANGELOG.md'));

const problems = [...checkVersions(), ...checkNotes(), ...checkServer(), ...publish()];
for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;

/** Returns the section of the version, without its title. */
function readNotes(changelog) {
  const sections = changelog.split(/^## /m);
  const section = sections.find((each) => each.startsWith(`${version}\n`) || each.startsWith(`${version} `)) ?? '';
  return section.slice(section.indexOf('\n') + 1).trim();
}

function checkVersions() {
  const server = readJson('server.json');
  const found = {
    'package-lock.json': readJson('package-lock.json').version,
    'server.json': server.version,
    'server.json, packages[0]': server.packages[0]?.version,
  };
  return Object.entries(found)
    .filter(([, other]) => other !== version)
    .map(([file, other]) => `${file} has version ${other}: package.json has ${version}`);
}

function checkNotes() {
  return notes === '' ? [`CHANGELOG.md has no notes of ${version}: add a section "## ${version}"`] : [];
}

/** Compares server.json with the rules of the registry, and with package.json. */
function checkServer() {
  const server = readJson('server.json');
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  const validate = ajv.compile(readJson('scripts/checks/server-schema.json'));
  const invalid = validate(server)
    ? []
    : ajv.errorsText(validate.errors, { dataVar: 'server.json', separator: '\n' }).split('\n');
  const [entry] = server.packages;
  const expected = {
    name: [server.name, manifest.mcpName],
    'repository.url': [server.repository.url, manifest.repository.url.replace(/^git\+|\.git$/g, '')],
    'packages[0].identifier': [entry?.identifier, manifest.name],
  };
  const different = Object.entries(expected)
    .filter(([, [found, wanted]]) => found !== wanted)
    .map(([field, [found, wanted]]) => `server.json: ${field} is ${found}: package.json says ${wanted}`);
  return [...invalid, ...different];
}

/** Runs `npm publish` without sending anything. */
function publish() {
  const args = ['publish', '--dry-run', '--json', '--ignore-scripts', '--access', 'public', '--loglevel=error'];
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: ROOT,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) return [`npm publish --dry-run fails:\n${stderr.trim()}`];
  const sent = JSON.parse(stdout);
  const { id, files, size } = sent.files ? sent : sent[manifest.name];
  console.log(`${id}: ${files.length} files, ${(size / 1e6).toFixed(2)} MB`);
  return files
    .filter(({ path }) => PRIVATE.test(path))
    .map(({ path }) => `${path} would be published: leave it out by "files" of package.json`);
}
