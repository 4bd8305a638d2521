import { constants } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Disk, DiskFile } from '#engine/persistence/disk.js';

/** Files and folders by their paths. A folder has no bytes. */
export type Tree = ReadonlyMap<string, Buffer | undefined>;

let nodes = 0;
let syncs = 0;

/** A file or folder. Bytes are durable once they are synced. */
class MemoryNode {
  readonly ino = ++nodes;
  bytes: Buffer | undefined;
  #durable: Buffer | undefined;
  #lastWrite = 0;
  #lastSync = 0;
  /** When its times were last set. */
  modified = 0;

  constructor(bytes?: Buffer) {
    this.bytes = bytes;
    this.#durable = bytes;
  }

  get status() {
    const { ino, bytes, modified: mtimeMs } = this;
    return { ino, size: bytes?.length ?? 0, mtimeMs, isFile: () => !!bytes, isDirectory: () => !bytes };
  }

  append(bytes: Uint8Array): void {
    this.bytes = Buffer.concat([this.bytes ?? Buffer.alloc(0), bytes]);
    this.#lastWrite = bytes.length;
  }

  truncate(length: number): void {
    this.bytes = this.bytes?.subarray(0, length);
    this.#lastWrite = 0;
  }

  /** @param number of the sync, in the order of their calls: an earlier one that ends later takes nothing back */
  sync(bytes: Buffer | undefined, number: number): void {
    if (number < this.#lastSync) return;
    this.#lastSync = number;
    this.#durable = bytes;
  }

  /** None of the bytes since the last sync, all, half of the last write, or all with a beginning of zeros. */
  afterPowerCut(): readonly (Buffer | undefined)[] {
    const [durable, all] = [this.#durable, this.bytes];
    if (!durable || !all || durable === all) return [durable];
    if (all.length < durable.length) return [durable, all];
    const zeros = Buffer.from(all).fill(0, durable.length, (durable.length + all.length) >> 1);
    return [durable, all, all.subarray(0, all.length - (this.#lastWrite >> 1)), zeros];
  }
}

type Names = Map<string, MemoryNode>;

const fail = (code: string, path: string) => Object.assign(new Error(`${code}: ${path}`), { code });

/** A disk in memory that keeps what POSIX promises to keep in a power cut, and no more. */
export class MemoryDisk implements Disk {
  /** Called after each operation. */
  onChange = (): void => {};
  /** Turns of the event loop that a sync takes. */
  syncTurns = 1;
  /** Waits for one of them. */
  turn: () => Promise<unknown> = setImmediate;
  /** The clock of the process that writes. */
  now = (): number => 0;
  readonly #boot: number;
  readonly #names: Names;
  readonly #durable: Names;
  /** The changes of names since their folder was synced. */
  readonly #pending = new Map<string, ((names: Names) => unknown)[]>();
  readonly #opened: { readonly node: MemoryNode; position: number }[] = [];

  /** @param boot the number of the process that uses it. Those of other numbers have ended */
  constructor(tree: Tree, boot: number) {
    this.#boot = boot;
    this.#names = new Map([...tree].map(([path, bytes]) => [path, new MemoryNode(bytes)]));
    this.#durable = new Map(this.#names);
  }

  /** What it has, which a killed process leaves. */
  get tree(): Tree {
    return new Map([...this.#names].map(([path, { bytes }]) => [path, bytes]));
  }

  /** What a power cut may leave: of each folder the first changes of names, however many. */
  afterPowerCut(): Tree[] {
    let found: Names[] = [this.#durable];
    for (const changes of this.#pending.values()) {
      found = found.flatMap((start) => {
        const names = new Map(start);
        const later = changes.map((change) => {
          change(names);
          return new Map(names);
        });
        return [start, ...later];
      });
    }
    return found.flatMap((names) => {
      const isThere = (path: string): boolean => path === '/' || (names.has(path) && isThere(dirname(path)));
      const entries = [...names].filter(([path]) => isThere(path));
      let choices = [new Map<MemoryNode, Buffer | undefined>()];
      for (const node of new Set(entries.map(([, each]) => each))) {
        choices = choices.flatMap((made) => node.afterPowerCut().map((bytes) => new Map(made).set(node, bytes)));
      }
      return choices.map((choice) => new Map(entries.map(([path, node]) => [path, choice.get(node)])));
    });
  }

  #get(path: string): MemoryNode {
    const node = path === '/' ? new MemoryNode() : this.#names.get(path);
    if (!node) throw fail('ENOENT', path);
    return node;
  }

  #change(path: string, change: (names: Names) => unknown): void {
    this.#get(dirname(path));
    change(this.#names);
    const folder = dirname(path);
    this.#pending.set(folder, [...(this.#pending.get(folder) ?? []), change]);
    this.onChange();
  }

  #create(path: string, bytes?: Buffer): MemoryNode {
    const node = new MemoryNode(bytes);
    this.#change(path, (names) => names.set(path, node));
    return node;
  }

  #open(path: string): number {
    return this.#opened.push({ node: this.#get(path), position: 0 }) - 1;
  }

  /** Syncs what there is at the call. */
  async #sync(path: string, node: MemoryNode): Promise<void> {
    const { bytes } = node;
    const number = ++syncs;
    const changes = this.#pending.get(path) ?? [];
    for (let turn = 0; turn < this.syncTurns; turn++) await this.turn();
    node.sync(bytes, number);
    const pending = this.#pending.get(path) ?? [];
    // Others are durable by a later sync, which has ended before.
    for (const change of changes) if (pending.includes(change)) change(this.#durable);
    this.#pending.set(
      path,
      pending.filter((change) => !changes.includes(change)),
    );
    this.onChange();
  }

  readonly promises = {
    open: async (path: string, flags: string | number): Promise<DiskFile> => {
      const isNew = typeof flags === 'number' && (flags & constants.O_CREAT) !== 0 && !this.#names.has(path);
      const node = isNew ? this.#create(path, Buffer.alloc(0)) : this.#get(path);
      const fd = this.#open(path);
      const sync = () => this.#sync(path, node);
      const write = async (bytes: Uint8Array) => ({ bytesWritten: this.writeSync(fd, bytes, 0) });
      return { fd, write, sync, datasync: sync, close: async () => {} };
    },
  };

  mkdirSync(path: string): void {
    if (path === '/' || this.#names.has(path)) return;
    this.mkdirSync(dirname(path));
    this.#create(path);
  }

  linkSync(path: string, name: string): void {
    if (this.#names.has(name)) throw fail('EEXIST', name);
    const node = this.#get(path);
    this.#change(name, (names) => names.set(name, node));
  }

  renameSync(from: string, to: string): void {
    const node = this.#get(from);
    this.#change(to, (names) => names.delete(from) && names.set(to, node));
  }

  rmSync(path: string): void {
    if (this.#names.has(path)) this.#change(path, (names) => names.delete(path));
  }

  writeFileSync(path: string, text: string): void {
    this.#create(path, Buffer.alloc(0)).append(Buffer.from(text));
    this.onChange();
  }

  writeSync(fd: number, bytes: Uint8Array, offset: number): number {
    const node = this.#opened[fd]?.node;
    node?.append(bytes.subarray(offset));
    if (node) node.modified = this.now();
    this.onChange();
    return bytes.length - offset;
  }

  ftruncateSync(fd: number, length: number): void {
    this.#opened[fd]?.node.truncate(length);
    this.onChange();
  }

  readSync(fd: number, buffer: Uint8Array): number {
    const file = this.#opened[fd];
    const size = file?.node.bytes?.copy(buffer, 0, file.position) ?? 0;
    if (file) file.position += size;
    return size;
  }

  /** The lock has the start of its process, by which it differs from that of another boot. */
  readFileSync = (path: string) =>
    path.startsWith('/proc/') ? `1 (node) S${' 0'.repeat(18)} ${this.#boot}` : String(this.#get(path).bytes);

  statSync = (path: string) => (path === '/' || this.#names.has(path) ? this.#get(path).status : undefined);
  readdirSync = (folder: string) =>
    [...this.#names.keys()].filter((path) => dirname(path) === folder).map((path) => path.slice(folder.length + 1));
  fstatSync = (fd: number) => (this.#opened[fd]?.node ?? new MemoryNode()).status;
  fsyncSync = (fd: number) => {
    const node = this.#opened[fd]?.node;
    node?.sync(node.bytes, ++syncs);
  };
  openSync = (path: string) => this.#open(path);
  closeSync = () => {};
  readlinkSync = () => '';
  utimesSync = (path: string, _: Date, modified: Date) => {
    this.#get(path).modified = modified.getTime();
  };
}
