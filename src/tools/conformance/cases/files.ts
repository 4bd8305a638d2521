import { type Case, chosen, operation, type Row, type Rows, recorded, type Step } from '../case.js';
import {
  addFile,
  addFolder,
  addLinked,
  changeFile,
  deleteFile,
  fails,
  findMain,
  fork,
  listFiles,
  MAIN_ID,
  makeProject,
  NOT_AUTHORIZED,
  PROJECT,
  pageInOrder,
  readFile,
} from './project-steps.js';
import { projectFile, shows, values } from './schemas.js';
import { send } from './steps.js';

const OWN = "Another owner's project is a 404 with `Not authorized` in its message.";
const PATHS =
  'On each route, a path has at most 1,024 characters. Its parts have 1 to 48 letters, digits and `$[]()-_.`, as names have, and are neither `.` nor `..`. Another part is a 400 that names it.';
const PARENTS =
  "A file or directory is created with the directories above it, by one change of the branch. The tests of the service's command-line tool do so.";
const CONDITIONS = 'If-Match and If-Unmodified-Since lead to a 412, as for the content. A directory has no ETag.';
const HASH = '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b';
/** Cases of a write with a condition. */
const conditional = (write: Step): Rows => ({
  'match: A text that has changed is a 412': [
    [makeProject(), addFile('a'), { ...write, headers: { 'if-match': '"x"' } }],
    412,
  ],
  'met: The tag of the text is met': [
    [makeProject(), addFile('a'), { ...write, headers: { 'if-match': `"${HASH}"` } }],
    write.send.startsWith('PUT') ? 200 : 204,
  ],
  'unmodified: A later change is a 412': [
    [makeProject(), addFile('a'), { ...write, headers: { 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' } }],
    412,
  ],
});
const ROOT = 'A slash is the root, as the empty path is.';
const BRANCHES = 'branch_id selects a branch, by default `main`.';
const IN_FORK = '&branch_id={fork.id}';
const TREE = [makeProject(), addFolder('a'), addFile('a/b.ts')];
const TAKEN = fails(409, 'File or directory already exists at this path');
const MAIN = `GET ${PROJECT}/branches/${MAIN_ID}`;

const creation = operation('createFile', 'POST /v2/vals/{val_id}/files', [
  recorded(
    'A file has a type and content, of at most 80,000 characters. The content of a directory is null or absent.',
    {
      'content-80000: 80,000 characters are accepted': [
        [makeProject(), addFile('a', { content: '{long.80000}' })],
        201,
        { level: 'limits' },
      ],
      'content-80001: 80,001 characters are a 400': [
        [makeProject(), addFile('a', { content: '{long.80001}' })],
        400,
        { level: 'limits' },
      ],
      'no-content: A file without content is a 400': [
        [makeProject(), send(`POST ${PROJECT}/files?path=a`, { type: 'file' })],
        400,
      ],
      'type: An unknown type is a 400': [[makeProject(), addFile('a', { type: 'page' })], 400],
      'null: The content of a directory may be null': [
        [makeProject(), addFile('a', { type: 'directory', content: null })],
        values({ type: 'directory' }, 201),
      ],
      'text: A directory with text is a 400': [[makeProject(), addFile('a', { type: 'directory' })], 400],
    },
  ),
  recorded(
    'The response is a 201 with the file. A path in use is a 409 with `File or directory already exists at this path`.',
    {
      'keys: The response has exactly the documented keys': [
        [makeProject(), addFile('a.ts', { type: 'http' })],
        shows(
          { allOf: [projectFile, { required: ['type'], properties: { type: { const: 'http' } } }] },
          { status: 201 },
        ),
      ],
      'same: The response is the file that a GET returns': [
        [makeProject(), addFile('a.ts'), 'GET /v2/files/{file.id}'],
        { status: 200, equals: 'file' },
      ],
      ...Object.fromEntries(
        (['http', 'email'] as const).map((type): [string, Row] => [
          `${type}: A file of the type ${type} has its link`,
          [[makeProject(), addLinked(type), `GET /v2/files/{${type}.id}`], { status: 200, equals: type }],
        ]),
      ),
      'text-kept: The text is kept': [[makeProject(), addFile('a.ts'), readFile('a.ts')], { status: 200, hex: '31' }],
      'taken: A second file at a path is a 409': [[makeProject(), addFile('a.ts'), addFile('a.ts')], TAKEN],
    },
  ),
  recorded(PARENTS, {
    'nested: Two directories are one change': [
      [makeProject(), findMain, addFolder('a/b'), listFiles('path=&recursive=true')],
      pageInOrder({ path: 'a', version: 1 }, { path: 'a/b', version: 1 }),
    ],
    'nested-file: A file and its directories are one change': [
      [makeProject(), findMain, addFile('a/b/c.ts'), listFiles('path=&recursive=true')],
      pageInOrder({ path: 'a', version: 1 }, { path: 'a/b', version: 1 }, { path: 'a/b/c.ts', version: 1 }),
    ],
  }),
  recorded(BRANCHES, {
    'fork: A file is created on a branch': [
      [makeProject(), fork(), addFile(`a.ts${IN_FORK}`), listFiles('path=')],
      pageInOrder(),
    ],
  }),
  chosen('A file where a directory is needed is a 409.', {
    'in-file: A file is in no file': [[makeProject(), addFile('a'), addFile('a/b')], 409],
  }),
  chosen('A text has no NUL: a 400. Half of a surrogate pair becomes U+FFFD, since texts are read as UTF-8.', {
    'nul: A text with NUL is a 400': [[makeProject(), addFile('a', { content: 'a\0b' })], 400],
    'surrogate: Half of a pair becomes U+FFFD': [
      [
        makeProject(),
        {
          send: `POST ${PROJECT}/files?path=a`,
          text: '{"type":"file","content":"\\ud800"}',
        },
        readFile('a'),
      ],
      { status: 200, hex: 'efbfbd' },
    ],
  }),
  chosen(
    PATHS,
    Object.fromEntries(
      Object.entries({
        up: '..',
        empty: 'a//b',
        slash: 'a/',
        here: './a',
        control: 'a%00',
        space: 'a%20b',
        long: '{long.49}',
      }).map(([id, path]): [string, Row] => [
        `path-${id}: Such a path is a 400`,
        [[makeProject(), addFile(path)], 400],
      ]),
    ),
  ),
  chosen(OWN, {
    'second: The second account creates none': [[makeProject(), addFile('a', {}, 'second')], NOT_AUTHORIZED],
  }),
]);

const update = operation('updateFile', 'PUT /v2/vals/{val_id}/files', [
  recorded('content, type, name and parent_path are optional. parent_path is null for the root.', {
    'content: A new text replaces the old one': [
      [makeProject(), addFile('a.ts'), changeFile('a.ts', { content: '2' }), readFile('a.ts')],
      { status: 200, hex: '32' },
    ],
    'type: A type is kept': [
      [makeProject(), addFile('a.ts'), changeFile('a.ts', { type: 'http' })],
      values({ type: 'http', path: 'a.ts', version: 2 }),
    ],
    'name-1: A name of one character is accepted': [
      [...TREE, changeFile('a/b.ts', { name: 'c' })],
      values({ path: 'a/c' }),
    ],
    'name-48: A name of 48 characters is accepted': [[...TREE, changeFile('a/b.ts', { name: '{long.48}' })], 200],
    'name-0: An empty name is a 400': [[...TREE, changeFile('a/b.ts', { name: '' })], 400],
    'name-49: A name of 49 characters is a 400': [[...TREE, changeFile('a/b.ts', { name: '{long.49}' })], 400],
    'content-80000: 80,000 characters are accepted': [
      [...TREE, changeFile('a/b.ts', { content: '{long.80000}' })],
      200,
      { level: 'limits' },
    ],
    'content-80001: 80,001 characters are a 400': [
      [...TREE, changeFile('a/b.ts', { content: '{long.80001}' })],
      400,
      { level: 'limits' },
    ],
    'root: A file moves to the root': [
      [...TREE, changeFile('a/b.ts', { parent_path: null })],
      shows({ allOf: [projectFile, { properties: { path: { const: 'b.ts' }, name: { const: 'b.ts' } } }] }),
    ],
    'folder: A file moves to a directory': [
      [...TREE, addFile('c.ts'), changeFile('c.ts', { parent_path: 'a' })],
      values({ path: 'a/c.ts' }),
    ],
  }),
  recorded('The id of a file stays the same.', {
    'id: A moved file has its id': [
      [...TREE, changeFile('a/b.ts', { parent_path: null, name: 'c.ts' })],
      values({ id: '{file.id}' }),
    ],
    ...Object.fromEntries(
      (['http', 'email'] as const).map((type): [string, Row] => [
        `${type}: A file of the type ${type} has its link`,
        [
          [
            makeProject(),
            addFile('a.ts'),
            { ...changeFile('a.ts', { type }), save: 'changed' },
            'GET /v2/files/{file.id}',
          ],
          { status: 200, equals: 'changed' },
        ],
      ]),
    ),
    'same: The response is the file that a GET returns': [
      [...TREE, { ...changeFile('a/b.ts', { name: 'c.ts' }), save: 'changed' }, 'GET /v2/files/{file.id}'],
      { status: 200, equals: 'changed' },
    ],
  }),
  recorded(
    'An unknown path is a 404, also with an empty object: the command-line tool of the service tests so whether it may write.',
    {
      'unknown: An unknown path is a 404': [[makeProject(), changeFile('{unknown}', {})], fails(404, 'File not found')],
    },
  ),
  recorded(BRANCHES, {
    'fork: A file is changed on a branch': [
      [makeProject(), addFile('a.ts'), fork(), changeFile(`a.ts${IN_FORK}`, { content: '2' }), readFile('a.ts')],
      { status: 200, hex: '31' },
    ],
  }),
  chosen('The response is a 200. Without a difference, the branch keeps its version.', {
    'nothing: An empty object changes nothing': [
      [...TREE, findMain, changeFile('a/b.ts', {}), MAIN],
      values({ version: 2 }),
    ],
    'status: The response is a 200': [[...TREE, changeFile('a/b.ts', {})], { status: 200, equals: 'file' }],
  }),
  chosen('A directory moves with all that is in it, by one change of the branch.', {
    'directory: A directory moves with its files': [
      [...TREE, changeFile('a', { name: 'c' }), listFiles('path=&recursive=true')],
      pageInOrder({ path: 'c', version: 3 }, { path: 'c/b.ts', version: 3 }),
    ],
  }),
  chosen(ROOT, {
    'slash: A file moves to the root': [
      [...TREE, changeFile('a/b.ts', { parent_path: '/' })],
      values({ path: 'b.ts' }),
    ],
  }),
  chosen(CONDITIONS, conditional(changeFile('a', { content: '2' }))),
  chosen('A new path in use is a 409, and an unknown directory a 404. A directory in itself is a 400.', {
    'taken: A path in use is a 409': [[...TREE, addFile('b.ts'), changeFile('b.ts', { parent_path: 'a' })], TAKEN],
    'no-directory: An unknown directory is a 404': [[...TREE, changeFile('a/b.ts', { parent_path: 'none' })], 404],
    'itself: A directory in itself is a 400': [[...TREE, changeFile('a', { parent_path: 'a' })], 400],
  }),
  chosen('A directory does not become a file, nor a file a directory: a 400.', {
    'directory-type: A directory stays one': [[...TREE, changeFile('a', { type: 'file' })], 400],
    'file-type: A file becomes no directory': [[...TREE, changeFile('a/b.ts', { type: 'directory' })], 400],
    'directory-content: A directory has no content': [[...TREE, changeFile('a', { content: '1' })], 400],
  }),
  chosen("Another owner's project is a 404 with `Not authorized` in its message, which the tool looks for.", {
    'second: The second account changes none': [[...TREE, changeFile('{unknown}', {}, 'second')], NOT_AUTHORIZED],
  }),
]);

const deletion = operation('deleteFile', 'DELETE /v2/vals/{val_id}/files', [
  recorded('The response is 204, and 404 the second time.', {
    'status: The response is a 204 without a body': [[...TREE, deleteFile('a/b.ts')], { status: 204, body: 'none' }],
    'once: A deleted file is a 404': [
      [...TREE, deleteFile('a/b.ts'), deleteFile('a/b.ts')],
      fails(404, 'File not found'),
    ],
  }),
  recorded(
    'recursive, by default false, deletes a directory with all that is in it. The empty path with it means all files.',
    {
      'recursive: A directory is deleted with its files': [
        [...TREE, addFile('c.ts'), `${deleteFile('a')}&recursive=true`, listFiles('path=&recursive=true')],
        pageInOrder({ path: 'c.ts' }),
      ],
      'all: The empty path means all files': [
        [...TREE, addFile('c.ts'), `${deleteFile('')}&recursive=true`, listFiles('path=')],
        pageInOrder(),
      ],
    },
  ),
  recorded(BRANCHES, {
    'fork: A file is deleted on a branch': [
      [makeProject(), addFile('a.ts'), fork(), deleteFile(`a.ts${IN_FORK}`), listFiles('path=')],
      pageInOrder({ path: 'a.ts' }),
    ],
  }),
  chosen('A directory that is not empty is a 409 without recursive, and so is the empty path.', {
    'not-empty: A directory with a file is a 409': [[...TREE, deleteFile('a')], 409],
    'root: So is the root': [[...TREE, deleteFile('')], 409],
  }),
  chosen(ROOT, {
    'slash: A slash means all files': [
      [...TREE, `${deleteFile('/')}&recursive=true`, listFiles('path=')],
      pageInOrder(),
    ],
  }),
  chosen(CONDITIONS, conditional({ send: deleteFile('a') })),
  chosen('All is deleted by one change of the branch, and by none if there is no file.', {
    'one: A directory and its file are one change': [
      [...TREE, findMain, `${deleteFile('a')}&recursive=true`, `${deleteFile('')}&recursive=true`, MAIN],
      values({ version: 3 }),
    ],
  }),
  chosen(OWN, {
    'second: The second account deletes none': [
      [...TREE, { send: deleteFile('a/b.ts'), as: 'second' }],
      NOT_AUTHORIZED,
    ],
  }),
]);

/** Cases of the changes of files. */
export const fileCases: readonly Case[] = [...creation, ...update, ...deletion];
