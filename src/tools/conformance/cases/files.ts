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
const IN_FORK = '&branch_id={fork.id}';
const TREE = [makeProject(), addFolder('a'), addFile('a/b.ts')];
const TAKEN = fails(409, 'File or directory already exists at this path');
const MAIN = `GET ${PROJECT}/branches/${MAIN_ID}`;

const creation = operation('createFile', 'POST /v2/vals/{val_id}/files', [
  recorded('content', {
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
  }),
  recorded('created', {
    'keys: The response has exactly the documented keys': [
      [makeProject(), addFile('a.ts', { type: 'http' })],
      shows({ allOf: [projectFile, { required: ['type'], properties: { type: { const: 'http' } } }] }, { status: 201 }),
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
  }),
  recorded('parents', {
    'nested: Two directories are one change': [
      [makeProject(), findMain, addFolder('a/b'), listFiles('path=&recursive=true')],
      pageInOrder({ path: 'a', version: 1 }, { path: 'a/b', version: 1 }),
    ],
    'nested-file: A file and its directories are one change': [
      [makeProject(), findMain, addFile('a/b/c.ts'), listFiles('path=&recursive=true')],
      pageInOrder({ path: 'a', version: 1 }, { path: 'a/b', version: 1 }, { path: 'a/b/c.ts', version: 1 }),
    ],
  }),
  recorded('branch', {
    'fork: A file is created on a branch': [
      [makeProject(), fork(), addFile(`a.ts${IN_FORK}`), listFiles('path=')],
      pageInOrder(),
    ],
  }),
  chosen('parent-file', {
    'in-file: A file is in no file': [[makeProject(), addFile('a'), addFile('a/b')], 409],
  }),
  chosen('text', {
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
    'path',
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
  chosen('owner', {
    'second: The second account creates none': [[makeProject(), addFile('a', {}, 'second')], NOT_AUTHORIZED],
  }),
]);

const update = operation('updateFile', 'PUT /v2/vals/{val_id}/files', [
  recorded('optional', {
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
  recorded('id', {
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
  recorded('unknown-path', {
    'unknown: An unknown path is a 404': [[makeProject(), changeFile('{unknown}', {})], fails(404, 'File not found')],
  }),
  recorded('branch', {
    'fork: A file is changed on a branch': [
      [makeProject(), addFile('a.ts'), fork(), changeFile(`a.ts${IN_FORK}`, { content: '2' }), readFile('a.ts')],
      { status: 200, hex: '31' },
    ],
  }),
  chosen('response', {
    'nothing: An empty object changes nothing': [
      [...TREE, findMain, changeFile('a/b.ts', {}), MAIN],
      values({ version: 2 }),
    ],
    'status: The response is a 200': [[...TREE, changeFile('a/b.ts', {})], { status: 200, equals: 'file' }],
  }),
  chosen('move', {
    'directory: A directory moves with its files': [
      [...TREE, changeFile('a', { name: 'c' }), listFiles('path=&recursive=true')],
      pageInOrder({ path: 'c', version: 3 }, { path: 'c/b.ts', version: 3 }),
    ],
  }),
  chosen('root', {
    'slash: A file moves to the root': [
      [...TREE, changeFile('a/b.ts', { parent_path: '/' })],
      values({ path: 'b.ts' }),
    ],
  }),
  chosen('conditions', conditional(changeFile('a', { content: '2' }))),
  chosen('conflict', {
    'taken: A path in use is a 409': [[...TREE, addFile('b.ts'), changeFile('b.ts', { parent_path: 'a' })], TAKEN],
    'no-directory: An unknown directory is a 404': [[...TREE, changeFile('a/b.ts', { parent_path: 'none' })], 404],
    'itself: A directory in itself is a 400': [[...TREE, changeFile('a', { parent_path: 'a' })], 400],
  }),
  chosen('kind', {
    'directory-type: A directory stays one': [[...TREE, changeFile('a', { type: 'file' })], 400],
    'file-type: A file becomes no directory': [[...TREE, changeFile('a/b.ts', { type: 'directory' })], 400],
    'directory-content: A directory has no content': [[...TREE, changeFile('a', { content: '1' })], 400],
  }),
  chosen('owner', {
    'second: The second account changes none': [[...TREE, changeFile('{unknown}', {}, 'second')], NOT_AUTHORIZED],
  }),
]);

const deletion = operation('deleteFile', 'DELETE /v2/vals/{val_id}/files', [
  recorded('gone', {
    'status: The response is a 204 without a body': [[...TREE, deleteFile('a/b.ts')], { status: 204, body: 'none' }],
    'once: A deleted file is a 404': [
      [...TREE, deleteFile('a/b.ts'), deleteFile('a/b.ts')],
      fails(404, 'File not found'),
    ],
  }),
  recorded('recursive', {
    'recursive: A directory is deleted with its files': [
      [...TREE, addFile('c.ts'), `${deleteFile('a')}&recursive=true`, listFiles('path=&recursive=true')],
      pageInOrder({ path: 'c.ts' }),
    ],
    'all: The empty path means all files': [
      [...TREE, addFile('c.ts'), `${deleteFile('')}&recursive=true`, listFiles('path=')],
      pageInOrder(),
    ],
  }),
  recorded('branch', {
    'fork: A file is deleted on a branch': [
      [makeProject(), addFile('a.ts'), fork(), deleteFile(`a.ts${IN_FORK}`), listFiles('path=')],
      pageInOrder({ path: 'a.ts' }),
    ],
  }),
  chosen('not-empty', {
    'not-empty: A directory with a file is a 409': [[...TREE, deleteFile('a')], 409],
    'root: So is the root': [[...TREE, deleteFile('')], 409],
  }),
  chosen('root', {
    'slash: A slash means all files': [
      [...TREE, `${deleteFile('/')}&recursive=true`, listFiles('path=')],
      pageInOrder(),
    ],
  }),
  chosen('conditions', conditional({ send: deleteFile('a') })),
  chosen('one-change', {
    'one: A directory and its file are one change': [
      [...TREE, findMain, `${deleteFile('a')}&recursive=true`, `${deleteFile('')}&recursive=true`, MAIN],
      values({ version: 3 }),
    ],
  }),
  chosen('owner', {
    'second: The second account deletes none': [
      [...TREE, { send: deleteFile('a/b.ts'), as: 'second' }],
      NOT_AUTHORIZED,
    ],
  }),
]);

/** Cases of the changes of files. */
export const fileCases: readonly Case[] = [...creation, ...update, ...deletion];
