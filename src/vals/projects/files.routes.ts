import { Type } from 'typebox';
import { Page, Paging, page } from '#engine/api/pagination.js';
import { assertMet, Representation } from '#engine/api/representation.js';
import { BYTES } from '#engine/api/route.js';
import { uuid } from '#engine/schema/common.js';
import { notAFile } from '#vals/lib/errors.rules.js';
import { route } from '#vals/lib/route.schema.js';
import { getBranch, getTree } from './branches.rules.js';
import { getText, type ProjectFile } from './file-records.collection.js';
import { createFile, deleteFile, findFile, getFile, listFiles, updateFile } from './files.rules.js';
import { getReadableProject, getWritableProject } from './projects.rules.js';
import {
  FileContentQuery,
  FileDeletionQuery,
  FileItem,
  FileListQuery,
  FileQuery,
  FileUpdateBody,
  filesOf,
  NewFileBody,
  ProjectPath,
} from './projects.schema.js';

const OWN = "owner: Another owner's project is a 404 with `Not authorized` in its message.";
const PATHS =
  'path: On each route, a path has at most 1,024 characters. Its parts have 1 to 48 letters, digits and `$[]()-_.`, as names have, and are neither `.` nor `..`. Another part is a 400 that names it.';
const CONDITIONS =
  'conditions: If-Match and If-Unmodified-Since lead to a 412, as for the content. A directory has no ETag.';
const ROOT = 'root: A slash is the root, as the empty path is.';
const BRANCHES = 'branch: branch_id selects a branch, by default `main`.';
const VERSIONS = 'version: version selects the files as of a version of the branch, by default the latest one.';
const UNKNOWN = 'unknown-version: An unknown branch or version is a 404.';

/** What the conditions of a write are compared with. */
const toValidators = ({ hash, updatedAt }: ProjectFile) => ({ tag: hash ?? '', modifiedAt: updatedAt });

export const fileRoutes = [
  route('GET', '/v2/vals/{val_id}/files', 'List the files of a directory', {
    id: 'listFiles',
    description: 'Directories are in the list. The path of a file gives a list of one.',
    unofficial: true,
    auth: 'optional',
    scope: 'project:read',
    params: ProjectPath,
    query: Type.Object({ ...FileListQuery, ...Paging }),
    response: Page('FilePage', FileItem),
    errors: [400, 401, 403, 404],
    rules: {
      record: [
        'path: path is required; the empty path is the root. The path of a file gives a list of one.',
        'recursive: recursive, by default false, lists what is in the directories too. Directories are in the list.',
        BRANCHES,
        VERSIONS,
        'unknown-path: An unknown path is a 404.',
      ],
      chosen: [
        'order: The order is by path. A directory itself is not in its list.',
        ROOT,
        'file-version: A file has the version of the branch at its last change.',
        UNKNOWN,
      ],
    },
    example: { query: { path: '', recursive: 'true' } },
    handle(context) {
      const { state, params, caller, query, links } = context;
      const project = getReadableProject(state, params.val_id, caller);
      const branch = getBranch(state, project, query.branch_id);
      const files = listFiles(getTree(state, branch, query.version), query.path, query.recursive);
      return page(files, query, links, filesOf(context, project, branch, query.version));
    },
  }),
  route('POST', '/v2/vals/{val_id}/files', 'Create a file or directory', {
    id: 'createFile',
    description: 'A file or directory is created with the directories above it.',
    unofficial: true,
    auth: 'required',
    scope: 'project:write',
    params: ProjectPath,
    query: FileQuery,
    body: NewFileBody,
    response: FileItem,
    status: 201,
    errors: [400, 401, 403, 404, 409],
    rules: {
      record: [
        'content: A file has a type and content, of at most 80,000 characters. The content of a directory is null or absent.',
        'created: The response is a 201 with the file. A path in use is a 409 with `File or directory already exists at this path`.',
        "parents: A file or directory is created with the directories above it, by one change of the branch. The tests of the service's command-line tool do so.",
        'most: A project has at most 1,000 files.',
        BRANCHES,
      ],
      chosen: [
        'parent-file: A file where a directory is needed is a 409.',
        'beyond: One file too many is a 400; so is directory 1,001. Each branch is counted for itself.',
        'text: A text has no NUL: a 400. Half of a surrogate pair becomes U+FFFD, since texts are read as UTF-8.',
        PATHS,
        OWN,
      ],
    },
    example: { query: { path: 'about.ts' }, body: { type: 'file', content: 'export const team = 3;' } },
    handle(context) {
      const { state, params, caller, query, body, now } = context;
      const project = getWritableProject(state, params.val_id, caller);
      const branch = getBranch(state, project, query.branch_id);
      const file = createFile(state, branch, query.path, body, now);
      return filesOf(context, project, branch, file.version)(file);
    },
  }),
  route('PUT', '/v2/vals/{val_id}/files', 'Change, rename or move a file or directory', {
    id: 'updateFile',
    description: 'Missing keys stay unchanged. A directory moves with all that is in it.',
    unofficial: true,
    auth: 'required',
    scope: 'project:write',
    params: ProjectPath,
    query: FileQuery,
    body: FileUpdateBody,
    response: FileItem,
    isConditional: true,
    errors: [400, 401, 403, 404, 409],
    rules: {
      record: [
        'optional: content, type, name and parent_path are optional. parent_path is null for the root.',
        'id: The id of a file stays the same.',
        'unknown-path: An unknown path is a 404, also with an empty object: the command-line tool of the service tests so whether it may write.',
        BRANCHES,
      ],
      chosen: [
        'response: The response is a 200. Without a difference, the branch keeps its version.',
        'move: A directory moves with all that is in it, by one change of the branch.',
        CONDITIONS,
        ROOT,
        'conflict: A new path in use is a 409, and an unknown directory a 404. A directory in itself is a 400.',
        'kind: A directory does not become a file, nor a file a directory: a 400.',
        "owner: Another owner's project is a 404 with `Not authorized` in its message, which the tool looks for.",
      ],
    },
    example: { query: { path: 'main.ts' }, body: { content: "export default () => new Response('Hi');" } },
    handle(context) {
      const { state, params, caller, query, body, now } = context;
      const project = getWritableProject(state, params.val_id, caller);
      const branch = getBranch(state, project, query.branch_id);
      assertMet(toValidators(getFile(branch.files.tree, query.path)), context.header);
      const file = updateFile(state, branch, query.path, body, now);
      return filesOf(context, project, getBranch(state, project, branch.id))(file);
    },
  }),
  route('DELETE', '/v2/vals/{val_id}/files', 'Delete a file or directory', {
    id: 'deleteFile',
    description: 'With `recursive`, a directory is deleted with all that is in it. The empty path means all files.',
    unofficial: true,
    auth: 'required',
    scope: 'project:write',
    params: ProjectPath,
    query: FileDeletionQuery,
    isConditional: true,
    errors: [400, 401, 403, 404, 409],
    rules: {
      record: [
        'gone: The response is 204, and 404 the second time.',
        'recursive: recursive, by default false, deletes a directory with all that is in it. The empty path with it means all files.',
        BRANCHES,
      ],
      chosen: [
        'not-empty: A directory that is not empty is a 409 without recursive, and so is the empty path.',
        ROOT,
        CONDITIONS,
        'one-change: All is deleted by one change of the branch, and by none if there is no file.',
        OWN,
      ],
    },
    example: { query: { path: 'main.ts' } },
    handle({ state, params, caller, query, header, now }) {
      const project = getWritableProject(state, params.val_id, caller);
      const branch = getBranch(state, project, query.branch_id);
      const file = branch.files.tree.get(query.path);
      if (file) assertMet(toValidators(file), header);
      deleteFile(state, branch, query.path, query.recursive, now);
    },
  }),
  route('GET', '/v2/vals/{val_id}/files/content', 'Get the text of a file', {
    id: 'getFileContent',
    description: 'Returns UTF-8 as `application/octet-stream`, with `ETag` and `Last-Modified`.',
    unofficial: true,
    auth: 'optional',
    scope: 'project:read',
    params: ProjectPath,
    query: FileContentQuery,
    response: BYTES,
    mediaType: 'application/octet-stream',
    isConditional: true,
    errors: [400, 401, 403, 404],
    rules: {
      record: [
        'bytes: The response has the bytes of the file, as `application/octet-stream`.',
        BRANCHES,
        VERSIONS,
        'conditions: If-None-Match and If-Modified-Since lead to a 304, If-Match and If-Unmodified-Since to a 412.',
      ],
      chosen: [
        'etag: The ETag is the SHA-256 of the text, in quotes. Last-Modified is the time of the last change of the file.',
        'condition-order: Conditions are evaluated in the order of RFC 9110.',
        'directory: The content of a directory is a 404.',
        UNKNOWN,
      ],
    },
    example: { query: { path: 'main.ts' } },
    handle({ state, params, caller, query }) {
      const project = getReadableProject(state, params.val_id, caller);
      const branch = getBranch(state, project, query.branch_id);
      const file = getFile(getTree(state, branch, query.version), query.path);
      if (file.hash === null) throw notAFile(file.path);
      return new Representation(Buffer.from(getText(state, file)), file.hash, file.updatedAt);
    },
  }),
  route('GET', '/v2/files/{file_id}', 'Get a file by id', {
    id: 'getFile',
    finds: 'files',
    description: 'Branches share the ids of files: the file is that of `main`, or of the oldest branch that has it.',
    unofficial: true,
    auth: 'optional',
    scope: 'project:read',
    params: Type.Object({ file_id: uuid('Id of a file or directory') }),
    response: FileItem,
    errors: [400, 401, 403, 404],
    rules: {
      record: ['read: The response is the file, as in lists. An unknown id is a 404.'],
      chosen: ['main: The file is that of `main`, else of the oldest branch that has it. A deleted file is a 404.'],
    },
    handle(context) {
      const { project, branch, file } = findFile(context.state, context.params.file_id, context.caller);
      return filesOf(context, project, branch)(file);
    },
  }),
];
