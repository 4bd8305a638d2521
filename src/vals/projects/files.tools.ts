import { type Static, Type } from 'typebox';
import { ToolText, toToolMessage } from '#engine/api/tool.js';
import { ApiError } from '#engine/lib/errors.js';
import { Choice } from '#engine/schema/common.js';
import { badRequest } from '#engine/state/errors.js';
import type { Context } from '#vals/lib/route.schema.js';
import type { State } from '#vals/lib/state.collection.js';
import { BranchName, getBranchOf, getNamedProject, getOwnProject, Path, tool, Val } from '#vals/lib/tool.tools.js';
import { getTree } from './branches.rules.js';
import { FILE_TYPES, getText, type ProjectFile } from './file-records.collection.js';
import { findType, LONGEST_FILE } from './files.collection.js';
import { createFile, deleteFile, getFile, listFiles, updateFile } from './files.rules.js';
import { basename, dirname } from './paths.rules.js';
import { type Branch, MAIN, type Project } from './project-records.collection.js';
import { filesOf } from './projects.schema.js';
import { RunKind, respond } from './runs.tools.js';

export const FileType = Type.Optional(
  Choice(FILE_TYPES, { description: 'What runs the file. Default: by its name, as in main.http.ts' }),
);

/** Returns the type of a new file: by its name, unless one is given. */
export const toFileType = (path: string, type: Static<typeof FileType> | undefined) => type ?? findType(path);

const Content = (description: string) => Type.String({ maxLength: LONGEST_FILE, description });

/** Asks to run a file after an edit. */
const Run = Type.Optional(
  Type.Object(
    { kind: RunKind, path: Type.Optional(Type.String({ description: 'Path of the file. Default: the edited one' })) },
    { description: 'Run a file after the edit' },
  ),
);
const edited = { val: Val, path: Path, branch: BranchName };

type ViewContext = Pick<Context, 'json' | 'links' | 'state'>;

function makeView(context: ViewContext, project: Project, branch: Branch) {
  const view = filesOf(context, project, branch);
  return (file: ProjectFile) => {
    const { id, name, path, version, updatedAt, links, ...fields } = view(file);
    const item = { id, name, path, ...fields, version, updatedAt };
    return { ...item, ...('endpoint' in links && { endpoint: links.endpoint }), links };
  };
}

/** Makes the result of an edit. It stays, even if the file does not run. */
function toResult(
  context: ViewContext,
  project: Project,
  branch: Branch,
  file: ProjectFile,
  run: Static<typeof Run> | undefined,
): object {
  const { state } = context;
  const changed = getBranchOf(state, project, branch.name);
  const data = { ...makeView(context, project, changed)(file), branch: branch.name };
  if (run === undefined) return data;
  try {
    return { ...data, run: respond(state, project, changed, run.kind, run.path ?? file.path) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const message = toToolMessage(error);
    const text = `The file ${file.path} is at version ${file.version}. ${message}`;
    return new ToolText({ ...data, run: { type: 'error', message } }, text, true);
  }
}

/** Returns a file with text. @throws ApiError 404, and 400 for a directory */
function getTextFile(branch: Branch, path: string): ProjectFile {
  const file = getFile(branch.files.tree, path);
  if (file.type === 'directory') throw badRequest(`path: ${path} is a directory; expected a file`);
  return file;
}

const readLines = (state: State, file: ProjectFile): string[] => getText(state, file).split('\n');

export const fileTools = [
  tool('list_files', 'List the files and directories of a directory, without those below.', {
    input: Type.Object({
      val: Val,
      path: Type.Optional(Type.String({ description: 'Path of a directory. Default: the root' })),
      branch: BranchName,
    }),
    scope: 'project:read',
    handle(context) {
      const { state, args } = context;
      const { val, path = '', branch: name = MAIN } = args;
      const project = getNamedProject(context, val);
      const branch = getBranchOf(state, project, name);
      const files = Array.from(listFiles(getTree(state, branch), path, false), makeView(context, project, branch));
      return { val, branch: name, path, count: files.length, files };
    },
  }),
  tool('read_file', 'Read the text of a file.', {
    input: Type.Object({
      ...edited,
      show_line_numbers: Type.Optional(Type.Boolean({ description: 'Number the lines. Default: true' })),
    }),
    scope: 'project:read',
    handle({ state, caller, args }) {
      const { show_line_numbers: isNumbered = true } = args;
      const branch = getBranchOf(state, getNamedProject({ state, caller }, args.val), args.branch);
      const file = getTextFile(branch, args.path);
      const lines = readLines(state, file);
      const content = (isNumbered ? lines.map((line, i) => `${i + 1}: ${line}`) : lines).join('\n');
      return { content, fileType: file.type };
    },
  }),
  tool('create_file', 'Create a file, with the directories above it. Fails if the path is in use.', {
    input: Type.Object({ ...edited, content: Content('The text'), fileType: FileType, run: Run }),
    guessed: ['val', 'path', 'content', 'branch', 'run'],
    scope: 'project:write',
    writes: true,
    handle(context) {
      const { state, args, now } = context;
      const { path, content, fileType, run } = args;
      const project = getOwnProject(context, args.val);
      const branch = getBranchOf(state, project, args.branch);
      const created = { type: toFileType(path, fileType), content };
      return toResult(context, project, branch, createFile(state, branch, path, created, now), run);
    },
  }),
  tool('update_file', 'Replace the whole text of a file. The last writer wins.', {
    input: Type.Object({ ...edited, content: Content('The new text'), fileType: FileType, run: Run }),
    hints: ['destructive'],
    guessed: ['val', 'path', 'content', 'branch', 'fileType'],
    scope: 'project:write',
    writes: true,
    handle(context) {
      const { state, args, now } = context;
      const { path, content, fileType: type, run } = args;
      const project = getOwnProject(context, args.val);
      const branch = getBranchOf(state, project, args.branch);
      getTextFile(branch, path);
      return toResult(context, project, branch, updateFile(state, branch, path, { content, type }, now), run);
    },
  }),
  tool('replace_in_file', 'Replace a text in a file. It must occur once, unless replace_all is true.', {
    input: Type.Object({
      ...edited,
      old_string: Type.String({ minLength: 1, description: 'The text to replace, exactly as in the file' }),
      new_string: Content('The text in its place'),
      replace_all: Type.Optional(Type.Boolean({ description: 'Replace every occurrence. Default: false' })),
      run: Run,
    }),
    hints: ['destructive'],
    guessed: ['new_string', 'replace_all', 'val', 'path', 'branch'],
    scope: 'project:write',
    writes: true,
    handle(context) {
      const { state, args, now } = context;
      const { path, old_string: before, new_string: after, replace_all: isAll = false, run } = args;
      const project = getOwnProject(context, args.val);
      const branch = getBranchOf(state, project, args.branch);
      const parts = getText(state, getTextFile(branch, path)).split(before);
      const count = parts.length - 1;
      if (count === 0)
        throw badRequest(`old_string was not found in ${path}: read the file, and send a text that it has`);
      if (count > 1 && !isAll)
        throw badRequest(`old_string occurs ${count} times in ${path}: send a longer text, or replace_all`);
      const content = toContent(parts.join(after));
      return toResult(context, project, branch, updateFile(state, branch, path, { content }, now), run);
    },
  }),
  tool('insert_at_line', 'Insert lines before a line of a file.', {
    input: Type.Object({
      ...edited,
      line: Type.Integer({ minimum: 1, description: 'Number of the first new line. One above the last line appends' }),
      content: Content('The lines'),
      run: Run,
    }),
    guessed: ['val', 'path', 'line', 'content', 'branch', 'run'],
    scope: 'project:write',
    writes: true,
    handle(context) {
      const { state, args, now } = context;
      const { path, line, run } = args;
      const project = getOwnProject(context, args.val);
      const branch = getBranchOf(state, project, args.branch);
      const lines = readLines(state, getTextFile(branch, path));
      if (line > lines.length + 1) throw badRequest(`line: found ${line}; ${path} has ${lines.length} lines`);
      const content = toContent(lines.toSpliced(line - 1, 0, ...args.content.split('\n')).join('\n'));
      return toResult(context, project, branch, updateFile(state, branch, path, { content }, now), run);
    },
  }),
  tool('rename_file', 'Rename or move a file or directory. Its id and its endpoint stay.', {
    input: Type.Object({ ...edited, newPath: Type.String({ description: 'The new path' }) }),
    guessed: ['val', 'path', 'newPath', 'branch'],
    scope: 'project:write',
    writes: true,
    handle(context) {
      const { state, args, now } = context;
      const { path, newPath } = args;
      const project = getOwnProject(context, args.val);
      const branch = getBranchOf(state, project, args.branch);
      const update = { name: basename(newPath), parent_path: dirname(newPath) };
      if (update.name === '') throw badRequest('newPath: found no name; expected a path such as "src/main.ts"');
      return toResult(context, project, branch, updateFile(state, branch, path, update, now), undefined);
    },
  }),
  tool('delete_file', 'Delete a file, or a directory with all that is in it. A revert brings it back.', {
    input: Type.Object(edited),
    hints: ['destructive'],
    guessed: ['val', 'path', 'branch'],
    scope: 'project:write',
    writes: true,
    handle({ state, caller, args, now }) {
      const { val, path } = args;
      const project = getOwnProject({ state, caller }, val);
      const branch = getBranchOf(state, project, args.branch);
      if (path === '') throw badRequest('path: found no path; expected that of a file or directory');
      deleteFile(state, branch, path, true, now);
      return { val, branch: branch.name, path, deleted: true };
    },
  }),
];

/** @throws ApiError 400 for a text that is too long */
function toContent(text: string): string {
  if (text.length > LONGEST_FILE && [...text].length > LONGEST_FILE)
    throw badRequest(`The file would have more than ${LONGEST_FILE} characters`);
  return text;
}
