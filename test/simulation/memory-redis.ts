import { createHash } from 'node:crypto';
import { BEGIN, EXCHANGE, LIST_NODES, REMOVE_NODE, REPLACE } from '#cluster/redis-scripts.js';

/** All that it has. */
const noKeys = () => ({
  meta: new Map<string, string>(),
  log: [] as [id: string, text: string][],
  versions: new Map<string, string>(),
  exchanges: new Map<string, string>(),
  nodes: new Map<string, string>(),
  times: new Map<string, string>(),
  lists: new Map<string, string[]>(),
  lock: { holder: '', end: 0 },
  lastId: '0-0',
});
type Keys = ReturnType<typeof noKeys>;

const parts = (id: string): number[] => id.split('-').map(Number);

function isLater(id: string, other: string): boolean {
  const [[time = 0, number = 0], [otherTime = 0, otherNumber = 0]] = [parts(id), parts(other)];
  return time > otherTime || (time === otherTime && number > otherNumber);
}

/** A log in memory with the meaning of the scripts of src/cluster/redis-scripts.ts. */
export class MemoryRedis {
  /** Milliseconds since 1970. */
  readonly #now: () => number;
  #keys = noKeys();
  /** The scripts that it knows by their hash. */
  readonly #known = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns what it has now, for a later restart. */
  save = (): Keys => structuredClone(this.#keys);

  /** Starts it again: it has forgotten the scripts. @param keys what it has then. Default: all */
  restart(keys = this.#keys): void {
    this.#keys = keys;
    this.#known.clear();
  }

  /** Forgets everything. */
  empty(): void {
    this.#keys = noKeys();
  }

  /** Runs a command. @throws Error for one that Redis refuses */
  run([name = '', ...args]: readonly string[]): unknown {
    const [first = '', second = ''] = args;
    switch (name) {
      case 'TIME':
        return this.#time();
      case 'INFO':
        return 'maxmemory_policy:noeviction\r\naof_enabled:1\r\n';
      case 'HMGET':
        return args.slice(1).map((field) => this.#keys.meta.get(field) ?? null);
      case 'LRANGE':
        return this.#keys.lists.get(first) ?? [];
      case 'RPUSH':
        return this.#keys.lists.set(first, [...(this.#keys.lists.get(first) ?? []), second]).get(first)?.length;
      case 'SET':
        if (this.#keys.lock.end > this.#now()) return null;
        this.#keys.lock = { holder: second, end: this.#now() + Number(args[4]) };
        return 'OK';
      case 'DEL':
        if (first.endsWith(':lock')) this.#keys.lock.end = 0;
        return this.#keys.lists.delete(first) ? 1 : 0;
      case 'EVAL':
      case 'EVALSHA': {
        const hash = name === 'EVAL' ? createHash('sha1').update(first).digest('hex') : first;
        const script = SCRIPTS.get(hash);
        if (!script || (name === 'EVALSHA' && !this.#known.has(hash)))
          throw new Error('NOSCRIPT No matching script. Please use EVAL.');
        this.#known.add(hash);
        return this[script](args.slice(2 + Number(second)));
      }
      default:
        throw new Error(`ERR unknown command '${name}'`);
    }
  }

  #time(): [seconds: string, microseconds: string] {
    const now = this.#now();
    return [String(Math.floor(now / 1_000)), String(Math.floor((now % 1_000) * 1_000))];
  }

  #nextId(): string {
    const [time = 0, number = 0] = parts(this.#keys.lastId);
    const now = Math.floor(this.#now());
    this.#keys.lastId = now > time ? `${now}-0` : `${time}-${number + 1}`;
    return this.#keys.lastId;
  }

  exchange([
    epoch,
    format,
    node = '',
    number,
    last = '',
    time = '',
    max,
    status = '',
    count,
    ...units
  ]: readonly string[]) {
    const { meta, log, versions, exchanges, nodes, times } = this.#keys;
    const fact = (name: string) => Number(meta.get(name) ?? '0');
    if (meta.get('epoch') !== epoch) return ['epoch'];
    if (fact('format') > Number(format)) return ['format', meta.get('version')];
    if (Number(exchanges.get(node) ?? '0') >= Number(number)) return ['late'];
    exchanges.set(node, String(number));
    if (status !== '') nodes.set(node, status);
    const checkpoint = meta.get('checkpoint') ?? '';
    const missing = fact('count') - fact('checkpointCount') - log.length;
    if (missing > 0) return ['damaged', 'log', checkpoint, missing];
    if (versions.size === 0) return ['damaged', 'versions', checkpoint];
    const isThere = log.some(([id]) => id === last);
    if (last !== checkpoint && !isThere) return ['lost', checkpoint];
    const found = log.filter(([id]) => isLater(id, last)).slice(0, Number(max) + (isThere ? 1 : 2));
    const hasMore = found.length > Number(max);
    if (hasMore) found.pop();
    const latest = Math.max(fact('time'), Number(time));
    meta.set('time', String(latest));
    const ids: string[] = [];
    for (let at = 0; ids.length < Number(count); ) {
      const [text = '', size] = units.slice(at, at + 2);
      const used = Array.from({ length: Number(size) }, (_, i) => units.slice(at + 2 + 3 * i, at + 5 + 3 * i));
      at += 2 + 3 * used.length;
      const isCurrent = used.every(([name = '', any]) => {
        const version = versions.get(name);
        const isSeen = any === '*' || version === undefined || !isLater(version, last);
        return isSeen && Number(times.get(name) ?? meta.get('checkpointTime') ?? '0') <= Number(time);
      });
      if (hasMore || !isCurrent) {
        ids.push('');
        continue;
      }
      const id = text === '' ? '-' : this.#nextId();
      if (text !== '') {
        log.push([id, text]);
        meta.set('count', String(fact('count') + 1));
      }
      ids.push(id);
      for (const [name = '', , kind] of used) {
        if (kind === '1') versions.set(name, id);
        if (kind !== '') times.set(name, time);
      }
    }
    const counts = [meta.get('count'), meta.get('checkpointCount')];
    return ['ok', found.flat(), ids, hasMore ? 1 : 0, String(latest), ...this.#time(), ...counts];
  }

  /** Whether a checkpoint has all of its parts. */
  #isWhole(key: string, count: string): boolean {
    return (this.#keys.lists.get(key)?.length ?? 0) === Number(count);
  }

  begin([epoch = '', format = '', version = '', key = '', parts = '']: readonly string[]): number {
    const { meta, log, versions, exchanges, nodes, times } = this.#keys;
    if (meta.size > 0 || !this.#isWhole(key, parts)) return 0;
    const facts = { epoch, format, version, checkpoint: '0-0', key, count: '0', checkpointCount: '0' };
    for (const [name, value] of Object.entries(facts)) meta.set(name, value);
    log.length = 0;
    for (const map of [versions, exchanges, nodes, times]) map.clear();
    versions.set('', '0-0');
    return 1;
  }

  replace([id = '', key = '', parts = '', count = '']: readonly string[]): number {
    const { meta, log, versions, times } = this.#keys;
    const isThere = log.some((entry) => entry[0] === id) && this.#isWhole(key, parts);
    if (!isThere || !isLater(id, meta.get('checkpoint') ?? '')) return 0;
    this.#keys.lists.delete(meta.get('key') ?? '');
    const checkpointTime = meta.get('time') ?? '0';
    for (const [name, value] of Object.entries({ checkpoint: id, key, checkpointCount: count, checkpointTime }))
      meta.set(name, value);
    log.splice(0, log.filter((entry) => isLater(id, entry[0])).length);
    times.clear();
    for (const [name, version] of versions) if (name !== '' && !isLater(version, id)) versions.delete(name);
    return 1;
  }

  listNodes(): string[] {
    return [this.#keys.meta.get('count') ?? '0', ...this.#keys.nodes.values()];
  }

  removeNode([node = '']: readonly string[]): null {
    this.#keys.nodes.delete(node);
    this.#keys.exchanges.delete(node);
    return null;
  }
}

const SCRIPTS = new Map(
  (
    [
      [EXCHANGE, 'exchange'],
      [BEGIN, 'begin'],
      [REPLACE, 'replace'],
      [LIST_NODES, 'listNodes'],
      [REMOVE_NODE, 'removeNode'],
    ] as const
  ).map(([text, method]) => [createHash('sha1').update(text).digest('hex'), method]),
);
