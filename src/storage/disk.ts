import { open } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { hasCode } from '../lib/errors.js';

/** Makes the names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and needs no sync of it.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Codes of errors of a folder that belongs to another user, or to a file system that syncs no folders. */
const FOREIGN = ['EACCES', 'EPERM', 'EROFS', 'EINVAL', 'ENOTSUP'];

/** Makes the names on the way to a file or folder durable: each may be new. */
export async function syncParents(name: string): Promise<void> {
  // Not normalized, since `link/..` is not always the folder of the link.
  let path = isAbsolute(name) ? name : `${process.cwd()}/${name}`;
  while (path !== dirname(path)) {
    path = dirname(path);
    await syncFolder(path).catch((error: unknown) => {
      if (!hasCode(error, ...FOREIGN)) throw error;
    });
  }
}
