import { expect, test } from 'vitest';
import { LineFile } from '#engine/persistence/write-files.js';
import { MemoryDisk } from './memory-disk.js';

const PATH = '/log.1.ndjson';

/** A disk that writes the first five bytes, and what another process appends meanwhile. */
async function openTorn(others: string) {
  const disk = new MemoryDisk(new Map([[PATH, Buffer.from('first\n')]]), 0);
  const file = await LineFile.open(PATH, disk);
  const { write } = file.handle;
  file.handle.write = async (bytes) => {
    const written = await write(bytes.subarray(0, 5));
    disk.writeSync(disk.openSync(PATH), Buffer.from(others), 0);
    return written;
  };
  return { file, read: () => disk.readFileSync(PATH) };
}

test('a line that the disk wrote in part is continued', async () => {
  const { file, read } = await openTorn('');
  await file.append(['{"a":1}'], 0);
  expect(read()).toMatch(/^first\n\n[0-9a-f]{8} 0:1:0{8} \{"a":1\}\n$/);
  expect(file.length).toBe(read().length);
});

test('a line that the disk wrote in part is not continued after what another process has appended', async () => {
  const { file, read } = await openTorn('other\n');
  await expect(file.append(['{"a":1}'], 0)).rejects.toThrow('another process has appended to the file');
  expect(read()).toMatch(/^first\n\n[0-9a-f]{4}other\n$/);
});
