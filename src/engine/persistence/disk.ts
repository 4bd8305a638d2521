import fs from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { promisify } from 'node:util';
import { hasCode } from '../lib/errors.js';

const fsync = promisify(fs.fsync);
const fdatasync = promisify(fs.fdatasync);

interface FileStatus {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

export interface DiskFile {
  readonly fd: number;
  write(bytes: Uint8Array): Promise<{ readonly bytesWritten: number }>;
  sync(): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** The functions of `node:fs` that a data folder uses. A test may replace them, to lose power or to fail. */
export interface Disk {
  readonly promises: { open(path: string, flags: string | number): Promise<DiskFile> };
  mkdirSync(path: string, options: { readonly recursive: true }): unknown;
  readdirSync(path: string): string[];
  statSync(path: string, options: { readonly throwIfNoEntry: false }): FileStatus | undefined;
  utimesSync(path: string, accessed: Date, modified: Date): void;
  linkSync(path: string, name: string): void;
  renameSync(from: string, to: string): void;
  rmSync(path: string, options: { readonly force: true }): void;
  readFileSync(path: string, encoding: 'utf8'): string;
  readlinkSync(path: string): string;
  writeFileSync(path: string, text: string): void;
  openSync(path: string, flags: 'r'): number;
  readSync(fd: number, buffer: Uint8Array, start: number, length: number, position: null): number;
  closeSync(fd: number): void;
  writeSync(fd: number, bytes: Uint8Array, start: number): number;
  fstatSync(fd: number): FileStatus;
  ftruncateSync(fd: number, length: number): void;
  fsyncSync(fd: number): void;
}

/** Opens a file that syncs by its descriptor, since the handles of Yarn's Plug'n'Play cannot sync. */
async function openByDescriptor(path: string, flags: string | number): Promise<DiskFile> {
  const handle = await fs.promises.open(path, flags);
  const { fd } = handle;
  return Object.assign(handle, { sync: () => fsync(fd), datasync: () => fdatasync(fd) });
}

export const systemDisk: Disk =
  process.versions.pnp === undefined ? fs : { ...fs, promises: { open: openByDescriptor } };

/** Makes the names in a folder durable. */
export async function syncFolder(folder: string, disk: Disk): Promise<void> {
  // Windows cannot open a folder, and needs no sync of it.
  if (process.platform === 'win32') return;
  const handle = await disk.promises.open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Codes of errors of a folder that belongs to another user, or to a file system that syncs no folders. */
const FOREIGN = ['EACCES', 'EPERM', 'EROFS', 'EINVAL', 'ENOTSUP'];

/** Makes the names on the way to a file or folder durable: each may be new. */
export async function syncParents(name: string, disk = systemDisk): Promise<void> {
  // Not normalized, since `link/..` is not always the folder of the link.
  let path = isAbsolute(name) ? name : `${process.cwd()}/${name}`;
  while (path !== dirname(path)) {
    path = dirname(path);
    await syncFolder(path, disk).catch((error: unknown) => {
      if (!hasCode(error, ...FOREIGN)) throw error;
    });
  }
}
