/** The state that each task starts with. The agent acts for ada. */
export const TOWN = {
  users: [
    { username: 'ada', email: 'ada@example.com' },
    { username: 'grace', email: 'grace@example.com' },
  ],
  vals: [
    { author: 'ada', name: 'report', code: 'export const sum = (a, b) => a - b;', privacy: 'private' },
    { author: 'ada', name: 'draft', code: 'export const todo = true;', privacy: 'private' },
    { author: 'ada', name: 'clock', code: 'export const now = () => new Date();', privacy: 'public' },
    { author: 'ada', name: 'dice', code: 'export const roll = () => 4;', privacy: 'public' },
    { author: 'grace', name: 'compiler', code: 'export const compile = String;', privacy: 'public' },
  ],
  runs: [
    { val: 'ada/report', runStartAt: '-3h', error: 'no such table: people' },
    { val: 'ada/report', runStartAt: '-2h', error: 'connection refused' },
    { val: 'ada/report', runStartAt: '-1h' },
  ],
  comments: [{ author: 'grace', val: 'ada/dice', comment: 'Why is it always 4?' }],
  blobs: [
    { user: 'ada', key: 'settings', json: { theme: 'light', size: 12 } },
    { user: 'ada', key: 'tmp/1', text: 'one' },
    { user: 'ada', key: 'tmp/2', text: 'two' },
    { user: 'ada', key: 'tmpl', text: 'a template' },
  ],
  sqlite: [
    {
      user: 'ada',
      sql: [
        'CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT);',
        "INSERT INTO people VALUES (1, 'Ada Lovelace'), (2, 'Grace Hoper'), (3, 'Alan Turing');",
      ],
    },
  ],
  projects: [
    {
      owner: 'ada',
      name: 'site',
      privacy: 'public',
      files: {
        'main.http.ts': 'export default () => new Respons(greeting);\n',
        'greeting.ts': "export const greeting = 'Helo';\n",
      },
    },
  ],
};
