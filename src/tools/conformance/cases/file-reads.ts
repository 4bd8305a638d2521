import { type Case, chosen, operation, type Row, recorded } from '../case.js';
import {
  addFile,
  addFolder,
  addLinked,
  changeFile,
  deleteFile,
  exactPage,
  fails,
  fork,
  listFiles,
  makeProject,
  PROJECT,
  pageInOrder,
  readFile,
  visible,
} from './project-steps.js';
import { projectFile, shows, values } from './schemas.js';

const IN_FORK = '&branch_id={fork.id}';
const TREE = [makeProject(), addFolder('a'), addFile('a/b.ts')];

/** What a version and a branch select, of a list or of a text. */
const selects = (read: (more: string) => string, found: (content: string) => object) => ({
  branches: {
    'fork: branch_id selects a branch': [
      [makeProject(), addFile('a.ts'), fork(), changeFile(`a.ts${IN_FORK}`, { content: '2' }), read(IN_FORK)],
      found('2'),
    ] as Row,
  },
  versions: {
    'version: version selects an earlier one': [
      [makeProject(), addFile('a.ts'), changeFile('a.ts', { content: '2' }), read('&version=1')],
      found('1'),
    ] as Row,
    'version-0: Version 0 has no files': [[makeProject(), addFile('a.ts'), read('&version=0')], 404] as Row,
    'version-negative: version=-1 is a 400': [[makeProject(), addFile('a.ts'), read('&version=-1')], 400] as Row,
  },
  unknown: {
    'unknown-branch: An unknown branch is a 404': [
      [makeProject(), addFile('a.ts'), read('&branch_id={unknown}')],
      fails(404, 'Branch not found'),
    ] as Row,
    'unknown-version: A version to come is a 404': [
      [makeProject(), addFile('a.ts'), read('&version=2')],
      fails(404, 'Version not found'),
    ] as Row,
  },
});

const listSelects = selects(
  (more) => listFiles(`path=a.ts${more}`),
  (content) => pageInOrder({ path: 'a.ts', version: content === '2' ? 1 : 1 }),
);
const contentSelects = selects(
  (more) => readFile(`a.ts${more}`),
  (content) => ({ status: 200, hex: Buffer.from(content).toString('hex') }),
);

const lists = operation('listFiles', 'GET /v2/vals/{val_id}/files', [
  recorded('path', {
    'no-path: A list without a path is a 400': [[makeProject(), `GET ${PROJECT}/files`], 400],
    'root: The empty path lists the root': [[...TREE, listFiles('path=')], pageInOrder({ path: 'a' })],
    'file: The path of a file lists it, as it was created': [[...TREE, listFiles('path=a/b.ts')], exactPage('{file}')],
    ...Object.fromEntries(
      (['http', 'email'] as const).map((type): [string, Row] => [
        `${type}: A file of the type ${type} has its link`,
        [[makeProject(), addLinked(type), listFiles('path=')], exactPage(`{${type}}`)],
      ]),
    ),
    ...visible(listFiles('path=a.ts'), [addFile('a.ts')]),
  }),
  recorded('recursive', {
    'recursive: All files and directories': [
      [...TREE, listFiles('path=&recursive=true')],
      pageInOrder({ path: 'a', type: 'directory' }, { path: 'a/b.ts', type: 'script' }),
    ],
  }),
  recorded('branch', listSelects.branches),
  recorded('version', listSelects.versions),
  recorded('unknown-path', {
    'unknown: An unknown path is a 404': [[makeProject(), listFiles('path=none')], fails(404, 'File not found')],
  }),
  chosen('order', {
    'order: Files are sorted by path': [
      [makeProject(), addFile('b'), addFile('a'), addFolder('c'), listFiles('path=')],
      pageInOrder({ path: 'a' }, { path: 'b' }, { path: 'c' }),
    ],
    'directory: A directory lists what is in it': [[...TREE, listFiles('path=a')], exactPage('{file}')],
  }),
  chosen('root', {
    'slash: A slash lists the root': [[...TREE, listFiles('path=/')], pageInOrder({ path: 'a' })],
  }),
  chosen('file-version', {
    'file-version: Later changes of other files do not count': [
      [...TREE, addFile('c.ts'), listFiles('path=a/b.ts')],
      pageInOrder({ version: 2 }),
    ],
  }),
  chosen('unknown-version', listSelects.unknown),
]);

const OCTETS = { 'content-type': '^application/octet-stream$' };
const TAG = '^"6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"$';
const ANY = { 'if-none-match': '*' };
const content = (headers: Readonly<Record<string, string>>, status: number): Row => [
  [makeProject(), addFile('a.ts'), { send: readFile('a.ts'), headers }],
  { status, ...(status === 304 && { body: 'none' }) },
];

const contents = operation('getFileContent', 'GET /v2/vals/{val_id}/files/content', [
  recorded('bytes', {
    'bytes: The response has the bytes': [
      [makeProject(), addFile('a.ts', { content: ' \ufeff\u00e4\r\n' }), readFile('a.ts')],
      { status: 200, headers: OCTETS, hex: '20efbbbfc3a40d0a' },
    ],
    'empty: An empty file has none': [
      [makeProject(), addFile('a.ts', { content: '' }), readFile('a.ts')],
      { status: 200, headers: OCTETS, hex: '' },
    ],
    ...visible(readFile('a.ts'), [addFile('a.ts')], true),
  }),
  recorded('branch', contentSelects.branches),
  recorded('version', contentSelects.versions),
  recorded('conditions', {
    'none-match: If-None-Match leads to a 304': content(ANY, 304),
    'modified: If-Modified-Since leads to a 304': content(
      { 'if-modified-since': 'Fri, 31 Dec 9999 23:59:59 GMT' },
      304,
    ),
    'match: If-Match leads to a 412': content({ 'if-match': '"x"' }, 412),
    'unmodified: If-Unmodified-Since leads to a 412': content(
      { 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' },
      412,
    ),
  }),
  chosen('etag', {
    'tag: The tag is the hash of the text': [
      [makeProject(), addFile('a.ts'), readFile('a.ts')],
      { status: 200, headers: { etag: TAG, 'last-modified': ' GMT$' } },
    ],
  }),
  chosen('condition-order', {
    'order: A tag that is missing comes before one that is there': content({ 'if-match': '"x"', ...ANY }, 412),
    'tag-first: A tag comes before a time': content(
      { 'if-none-match': '"x"', 'if-modified-since': 'Fri, 31 Dec 9999 23:59:59 GMT' },
      200,
    ),
  }),
  chosen('directory', {
    'directory: A directory is a 404': [[makeProject(), addFolder('a'), readFile('a')], fails(404, 'File not found')],
    'unknown: So is an unknown path': [[makeProject(), readFile('none')], fails(404, 'File not found')],
  }),
  chosen('unknown-version', contentSelects.unknown),
]);

const FILE = 'GET /v2/files/{file.id}';
const files = operation('getFile', 'GET /v2/files/{file_id}', [
  recorded('read', {
    'keys: The response has exactly the documented keys': [[makeProject(), addFile('a.ts'), FILE], shows(projectFile)],
    'same: The response is the one of the creation': [
      [makeProject(), addFile('a.ts'), FILE],
      { status: 200, equals: 'file' },
    ],
    'unknown: An unknown id is a 404': ['GET /v2/files/{unknown}', fails(404, 'File not found')],
    'http: A file of the type http has an endpoint': [
      [makeProject(), addLinked('http'), 'GET /v2/files/{http.id}'],
      { status: 200, equals: 'http' },
    ],
    'email: A file of the type email has an address': [
      [makeProject(), addLinked('email'), 'GET /v2/files/{email.id}'],
      { status: 200, equals: 'email' },
    ],
    ...visible(FILE, [addFile('a.ts')]),
  }),
  chosen('main', {
    'main: The file is that of main': [
      [makeProject(), addFile('a.ts'), fork(), changeFile(`a.ts${IN_FORK}`, { name: 'b.ts' }), FILE],
      { status: 200, equals: 'file' },
    ],
    'branch: Else it is that of a branch': [
      [makeProject(), addFile('a.ts'), fork(), deleteFile('a.ts'), FILE],
      values({ path: 'a.ts' }),
    ],
    'deleted: A deleted file is a 404': [[makeProject(), addFile('a.ts'), deleteFile('a.ts'), FILE], 404],
  }),
]);

/** Cases of the reads of files. */
export const fileReadCases: readonly Case[] = [...lists, ...contents, ...files];
