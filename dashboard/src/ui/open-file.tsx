import { signal as makeSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isFixtureFile } from '../../../src/engine/fixtures/file-names.js';
import { findJsonError, JsonError } from '../../../src/engine/fixtures/json-error.js';
import { isSession, removeComments } from '../../../src/engine/lib/json.js';
import { control, dashboardUrl, toControlError } from '../lib/api.js';
import { Dialog } from './dialog.js';
import { Icon } from './icons.js';

/** Whether a file is dragged over the page. */
const isDragging = makeSignal(false);

interface FileProblem {
  readonly file: string;
  /** Of the value, or the line. */
  readonly path: string;
  readonly message: string;
}

/** What could not be opened, and why. */
const refused = makeSignal<{ readonly name: string; readonly problems: readonly FileProblem[] } | undefined>(undefined);
const close = () => {
  refused.value = undefined;
};

/** A file of a fixture: the records of one collection, or all of them without one. */
interface Part {
  readonly file: string;
  readonly collection: string | undefined;
  readonly value: object;
}

/** Opens a fixture or a session in a new sandbox, and its dashboard. @param folder name of the folder that the files are in */
async function openFiles(files: readonly File[], folder?: string): Promise<void> {
  const [first, ...others] = folder === undefined ? files : files.filter(({ name }) => isFixtureFile(name));
  const name = folder ?? first?.name ?? '';
  let parts: readonly Part[] = [];
  try {
    if (!first) throw new Error(`${name} has no JSON file: a folder of fixtures has one for each collection.`);
    const text = await first.text();
    const isWhole = folder === undefined && others.length === 0;
    if (!isWhole || !isSession(text)) {
      parts = await Promise.all([first, ...others].map((file) => readPart(file, isWhole)));
    }
    const opened = await control.openSandbox({
      title: name.replace(/\.\w+$/, ''),
      ...(parts.length === 0 ? { session: text } : { fixtures: joinParts(parts) }),
    });
    window.location.href = dashboardUrl(opened.name);
  } catch (error) {
    refused.value = { name, problems: listProblems(error, name, parts) };
  }
}

/** A problem of one of several files. */
class PartError extends Error {
  readonly file: string;

  constructor(file: string, cause: Error) {
    super(cause.message, { cause });
    this.file = file;
  }
}

async function readPart(file: File, isWhole: boolean): Promise<Part> {
  const { name } = file;
  const text = removeComments(await file.text());
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PartError(name, findJsonError(text, await import('jsonc-parser')));
  }
  const collection = isWhole || name === 'fixtures.json' ? undefined : name.replace(/\.jsonc?$/i, '');
  if (typeof value === 'object' && value !== null && (collection !== undefined || !Array.isArray(value))) {
    return { file: name, collection, value };
  }
  const expected = 'expected a fixture in JSON, an object of collections, or a session that val-emulator has written.';
  throw new PartError(name, new Error(expected));
}

const joinParts = (parts: readonly Part[]): object =>
  Object.assign(
    {},
    ...parts.map(({ collection, value }) => (collection === undefined ? value : { [collection]: value })),
  );

/** Lists problems, each with the file that has it and the path in that file. */
function listProblems(error: unknown, name: string, parts: readonly Part[]): FileProblem[] {
  if (error instanceof PartError) {
    const { cause, file, message } = error;
    return [{ file, message, path: cause instanceof JsonError ? `line ${cause.line}, column ${cause.column}` : '' }];
  }
  const { message, problems } = toControlError(error);
  if (problems.length === 0) return [{ file: name, path: '', message }];
  return problems.map((problem) => {
    const path = problem.path.replace(/^body\/fixtures[/.]?/, '');
    const [collection = ''] = /^\w+/.exec(path) ?? [];
    const part = parts.find((each) => each.collection === collection);
    return part
      ? { file: part.file, path: path.slice(collection.length), message: problem.message }
      : { file: parts[0]?.file ?? name, path, message: problem.message };
  });
}

/** Reads the files of a folder that is dropped. */
async function listFiles(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const files: File[] = [];
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return files;
    for (const entry of entries) {
      if (isFile(entry)) files.push(await new Promise<File>((resolve, reject) => entry.file(resolve, reject)));
    }
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

function openDropped({ items, files }: DataTransfer): void {
  const folder = [...items].map((item) => item.webkitGetAsEntry()).find((entry) => entry !== null && isFolder(entry));
  if (folder && isFolder(folder)) void listFiles(folder).then((listed) => openFiles(listed, folder.name));
  else if (files.length > 0) void openFiles([...files]);
}

/** Takes files and folders that are dropped on the page, and says what is wrong with them. */
export function DropArea() {
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
    const onDrag = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isDragging.value = event.type === 'dragover';
    };
    const onLeave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) isDragging.value = false;
    };
    const onDrop = (event: DragEvent) => {
      onDrag(event);
      if (event.dataTransfer) openDropped(event.dataTransfer);
    };
    const abort = new AbortController();
    const { signal } = abort;
    window.addEventListener('dragover', onDrag, { signal });
    window.addEventListener('dragleave', onLeave, { signal });
    window.addEventListener('drop', onDrop, { signal });
    return () => abort.abort();
  }, []);
  return (
    <>
      {isDragging.value && (
        <div class="drop-area">
          <p>Drop a fixture, a folder of fixtures or a session: it opens in a new sandbox.</p>
        </div>
      )}
      {refused.value && (
        <Dialog title={`${refused.value.name} was not opened`} onClose={close}>
          <div role="alert">
            <ul class="stack">
              {refused.value.problems.map(({ file, path, message }) => (
                <li key={`${file} ${path} ${message}`}>
                  <code>
                    {file} {path}
                  </code>
                  : {message}
                </li>
              ))}
            </ul>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** Chooses a file or a folder, for those who do not drag. */
export const OpenFile = () => (
  <>
    {[false, true].map((takesFolder) => (
      <label key={String(takesFolder)} class="button">
        <Icon name="add" />
        {takesFolder ? 'Open a folder' : 'Open a fixture or session'}
        <input
          class="visually-hidden"
          type="file"
          accept=".json,.jsonc,.ndjson"
          {...{ webkitdirectory: takesFolder }}
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])];
            const [folder] = files[0]?.webkitRelativePath.split('/') ?? [];
            currentTarget.value = '';
            if (files.length > 0) void openFiles(files, folder || undefined);
          }}
        />
      </label>
    ))}
  </>
);
