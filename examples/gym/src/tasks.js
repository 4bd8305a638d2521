import { createHash } from 'node:crypto';

const hash = (value) => createHash('sha256').update(JSON.stringify(value)).digest('hex');
const val = (name, after) => ({ collection: 'vals', type: 'changed', name: `ada/${name}`, after });
const email = (after) => ({ collection: 'emails', type: 'added', after: { user: 'ada', ...after } });
const blob = (type, key, after) => ({ collection: 'blobs', type, name: `blob ${key} of ada`, ...(after && { after }) });
const row = (type, table, key, after) => ({ collection: 'sqlite', type, table, row: key, ...(after && { after }) });
const file = (type, branch, path, after) => ({
  ...{ collection: 'branches', type, name: `ada/site@${branch}`, file: path, after },
});

/**
 * What an agent is told, and the difference that it should make: `expect` has a part of each change, and `allow` what may change
 * besides. Anything else is unexpected.
 */
export const TASKS = [
  {
    name: 'publish a val',
    instruction: 'Make the val "report" public.',
    expect: [val('report', { privacy: 'public' })],
  },
  {
    name: 'rename a val',
    instruction: 'Rename the val "clock" to "time". Its id stays.',
    expect: [val('time', { name: 'time' })],
  },
  {
    name: 'fix a val',
    instruction: 'The val "report" subtracts. Save a version that adds.',
    expect: [val('report', { code: 'export const sum = (a, b) => a + b;', version: 1 })],
  },
  {
    name: 'document a val',
    instruction: 'Give the val "dice" the readme "# Dice".',
    expect: [val('dice', { readme: '# Dice' })],
  },
  {
    name: 'create a val',
    instruction: 'Create an unlisted val "double" that doubles a number.',
    expect: [{ collection: 'vals', type: 'added', name: 'ada/double', after: { privacy: 'unlisted' } }],
  },
  {
    name: 'delete a val',
    instruction: 'Delete the val "draft".',
    expect: [{ collection: 'vals', type: 'removed', name: 'ada/draft' }],
  },
  {
    name: 'hide all public vals',
    instruction: 'Make all my public vals unlisted.',
    expect: [val('clock', { privacy: 'unlisted' }), val('dice', { privacy: 'unlisted' })],
  },
  {
    name: 'answer a comment',
    instruction: 'Answer by email who asked why the dice show 4. Their address is their name at example.com.',
    expect: [email({ to: ['grace@example.com'] })],
  },
  {
    name: 'send a reminder',
    instruction: 'Send me an email "Reminder" to renew the domain.',
    expect: [email({ subject: 'Reminder', to: [{ email: 'ada@example.com', name: 'ada' }] })],
  },
  {
    name: 'report a failure',
    instruction: 'Send me the error of the last run that failed.',
    expect: [email({ text: 'connection refused' })],
  },
  {
    name: 'store a blob',
    instruction: 'Store ["red","blue"] as the blob "colors".',
    expect: [blob('added', 'colors', { sha256: hash(['red', 'blue']) })],
  },
  {
    name: 'change a setting',
    instruction: 'Set the theme in the blob "settings" to dark.',
    expect: [blob('changed', 'settings', { sha256: hash({ theme: 'dark', size: 12 }), size: 26 })],
  },
  {
    name: 'clean up blobs',
    instruction: 'Delete the blobs in tmp/.',
    expect: [blob('removed', 'tmp/1'), blob('removed', 'tmp/2')],
  },
  {
    name: 'migrate a table',
    instruction: 'Add a column "initial" to the table people, with the first letter of each name.',
    expect: [
      row('changed', 'sqlite_schema', 'table people'),
      row('changed', 'people', '1', { initial: 'A' }),
      row('changed', 'people', '2', { initial: 'G' }),
      row('changed', 'people', '3', { initial: 'A' }),
    ],
  },
  {
    name: 'correct a row',
    instruction: 'Correct the name of Grace Hopper in the table people.',
    expect: [row('changed', 'people', '2', { name: 'Grace Hopper' })],
  },
  {
    name: 'add a table',
    instruction: 'Add a table "cities" with a column "name", and London in it.',
    expect: [row('added', 'sqlite_schema', 'table cities'), row('added', 'cities', 'London', { name: 'London' })],
  },
  {
    name: 'repair a project',
    instruction: 'The project "site" does not compile. Correct the misspelled class.',
    expect: [file('changed', 'main', 'main.http.ts', { text: 'export default () => new Response(greeting);\n' })],
  },
  {
    name: 'add a file',
    instruction: 'Add a README.md with the title "Site" to the project "site".',
    expect: [file('added', 'main', 'README.md', { text: '# Site\n' })],
  },
  {
    name: 'work on a branch',
    instruction: 'Correct the greeting of the project "site" on a new branch "spelling".',
    expect: [
      { collection: 'branches', type: 'added', name: 'ada/site@spelling', after: { from: 'main' } },
      file('added', 'spelling', 'greeting.ts', { text: "export const greeting = 'Hello';\n" }),
    ],
    // The files that the branch has from main.
    allow: [{ collection: 'branches', name: 'ada/site@spelling' }],
  },
  {
    name: 'set a variable',
    instruction: 'Set the environment variable LANGUAGE of the project "site" to "en".',
    expect: [{ collection: 'environment', type: 'added', name: 'variable LANGUAGE of ada/site' }],
  },
];

/** What follows from other changes in all tasks. */
export const IGNORED = ['commits.*'];
