/** A discrete-event simulation of nodes that share one log: Redis, its network, the nodes and their clients. */
import { random as randomOf } from '../../test/support/random.js';
import { Events, makeQueue } from './events.js';

/** Requests of one kind. Times are microseconds of processor time. */
export interface Kind {
  /** Its part of all requests. */
  readonly weight: number;
  readonly isRead: boolean;
  /** Whether it runs alone, after its node has read the log. */
  readonly isControl: boolean;
  /** Of its entry. */
  readonly bytes: number;
  /** On the node that serves it, and on each other node. */
  readonly serve: number;
  readonly apply: number;
}

export interface Costs {
  /** Of Redis: a call, an entry that it returns with each of its bytes, and one that it appends. */
  readonly redis: Readonly<Record<'call' | 'entry' | 'byte' | 'append' | 'appendByte', number>>;
  /** Of a node: an exchange, whatever it carries. */
  readonly exchange: number;
  readonly kinds: readonly Kind[];
}

export interface Setting {
  readonly costs: Costs;
  readonly seed: number;
  readonly nodes: number;
  /** Clients of each node, and the mean microseconds of the pause before each request. */
  readonly clients: number;
  readonly pause: number;
  readonly localReads: boolean;
  /** Whether all clients use one sandbox. Otherwise each has its own. */
  readonly isHot: boolean;
  readonly seconds: number;
  /** Microseconds of a message from a node to Redis or back, and bytes that Redis sends per microsecond. */
  readonly latency: number;
  readonly bandwidth: number;
  /** Cores that everything shares, and the cost of a client per request: for a comparison with one real machine. */
  readonly cores?: number;
  readonly client?: number;
}

interface Task {
  readonly kind: Kind;
  readonly sandbox: number;
  /** Undefined for a local read, whose client has its response. */
  readonly settle: (() => void) | undefined;
  isRerun: boolean;
  /** Whether its node has read the log since it arrived. */
  isFresh: boolean;
}

/** Entries that one exchange returns at most, and microseconds between two looks of an idle node. */
const MAX_ENTRIES = 1_000;
const LOOK = 1e6;
/** A request that runs again takes this part of its first time: an assumption. */
const RERUN = 0.5;

const sumOf = (tasks: readonly Task[], field: (task: Task) => number): number =>
  tasks.reduce((sum, task) => sum + field(task), 0);

function groupBySandbox(tasks: readonly Task[]): Task[][] {
  const groups = new Map<number, Task[]>();
  for (const task of tasks) groups.set(task.sandbox, [...(groups.get(task.sandbox) ?? []), task]);
  return [...groups.values()];
}

/** Simulates a cluster. The first third of the time does not count. Times of the result are in seconds. */
export function simulate(setting: Setting) {
  const { costs, nodes: count, clients, pause, localReads, isHot, latency, bandwidth, cores, client = 0 } = setting;
  const random = randomOf(setting.seed);
  const events = new Events();
  const shared = cores === undefined ? undefined : makeQueue(events, cores);
  const [redis, sender, network] = [makeQueue(events, 1, shared), makeQueue(events, 1, shared), makeQueue(events)];
  const [warm, end] = [(setting.seconds * 1e6) / 3, setting.seconds * 1e6];
  /** Sums over the entries before each one: of bytes, of the time to apply them, and of when they were appended. */
  const log = { bytes: [0], apply: [0], times: [0] };
  const [versions, latest] = [new Map<number, number>(), new Map<number, number>()];
  const seen = { commits: 0, conflicts: 0, age: 0, applied: 0, longest: 0, responses: [0] };
  const between = (sums: readonly number[], from: number, to: number) => (sums[to] ?? 0) - (sums[from] ?? 0);
  const pass = (run: () => void) => events.after(latency * (0.75 + random() / 2), run);
  const weights = costs.kinds.reduce((sum, { weight }) => sum + weight, 0);
  const drawKind = (): Kind => {
    let rest = random() * weights;
    for (const kind of costs.kinds) {
      rest -= kind.weight;
      if (rest < 0) return kind;
    }
    throw new RangeError('costs.kinds is empty');
  };

  const append = (unit: readonly Task[], time: number) => {
    const sandbox = unit[0]?.sandbox ?? 0;
    if (unit.some(({ kind }) => !kind.isRead)) versions.set(sandbox, log.times.length);
    latest.set(sandbox, Math.max(time, latest.get(sandbox) ?? 0));
    log.bytes.push((log.bytes.at(-1) ?? 0) + sumOf(unit, ({ kind }) => kind.bytes));
    log.apply.push((log.apply.at(-1) ?? 0) + sumOf(unit, ({ kind }) => kind.apply));
    log.times.push((log.times.at(-1) ?? 0) + events.now);
  };

  const startNode = (_: unknown, index: number) => {
    const node = makeQueue(events, 1, shared);
    let [last, isRunning, isLookDue] = [0, false, false];
    let waiting: Task[] = [];

    const turn = () => {
      if (isRunning || (waiting.length === 0 && !isLookDue)) return;
      [isRunning, isLookDue] = [true, false];
      let [units, control]: [Task[][], Task[]] = [[], []];
      const serve = () => {
        const alone = waiting.find(({ isFresh }) => isFresh);
        const run = alone ? [alone] : waiting.filter(({ kind, settle }) => settle && !kind.isControl);
        const recorded = alone ? [] : waiting.filter(({ settle }) => !settle);
        waiting = waiting.filter((task) => !run.includes(task) && !recorded.includes(task));
        control = alone ? [] : waiting;
        units = [...groupBySandbox(run), ...groupBySandbox(recorded)];
        return costs.exchange + sumOf(run, ({ kind, isRerun }) => kind.serve * (isRerun ? RERUN : 1));
      };
      node.run(serve, () => {
        const time = Math.floor(events.now / 1_000);
        pass(() => exchange(units, time, control));
      });
    };

    const exchange = (units: readonly Task[][], time: number, control: readonly Task[]) => {
      const from = last;
      let to = from;
      let refused: readonly Task[][] = [];
      const call = () => {
        const length = log.times.length - 1;
        to = Math.min(length, from + MAX_ENTRIES);
        refused = units.filter(([first]) => {
          const { sandbox = 0, settle } = first ?? {};
          const isStale = settle !== undefined && (versions.get(sandbox) ?? 0) > from;
          return to < length || isStale || (latest.get(sandbox) ?? 0) > time;
        });
        const done = units.filter((unit) => !refused.includes(unit));
        for (const unit of done) append(unit, time);
        last = to + done.length;
        const { redis: of } = costs;
        const read = (to - from) * of.entry + between(log.bytes, from, to) * of.byte;
        return of.call + read + done.length * of.append + sumOf(done.flat(), ({ kind }) => kind.bytes) * of.appendByte;
      };
      const send = () => between(log.bytes, from, to) / bandwidth;
      const read = () => {
        if (to - from < MAX_ENTRIES) for (const task of control) task.isFresh = true;
        finish(units, refused, from, to);
      };
      redis.run(call, () => network.run(send, () => pass(read)));
    };

    const finish = (units: readonly Task[][], refused: readonly Task[][], from: number, to: number) => {
      const settleAll = () => {
        [isRunning, isLookDue] = [false, isLookDue || to - from === MAX_ENTRIES];
        seen.age += (to - from) * events.now - between(log.times, from, to);
        seen.applied += to - from;
        if (to > from) seen.longest = Math.max(seen.longest, events.now - between(log.times, from, from + 1));
        seen.commits += units.length - refused.length;
        seen.conflicts += refused.length;
        waiting = [...refused.flat().map((task) => Object.assign(task, { isRerun: true })), ...waiting];
        for (const unit of units) if (!refused.includes(unit)) for (const { settle } of unit) settle?.();
        turn();
      };
      node.run(() => between(log.apply, from, to), settleAll);
    };

    const ask = (sandbox: number) => {
      const request = () => {
        const [kind, asked] = [drawKind(), events.now];
        const settle = () => {
          seen.responses.push(events.now - asked);
          ask(sandbox);
        };
        const add = (task: Task) => {
          waiting.push(task);
          turn();
        };
        if (!localReads || !kind.isRead) return add({ kind, sandbox, settle, isRerun: false, isFresh: false });
        const respond = () => {
          settle();
          add({ kind, sandbox, settle: undefined, isRerun: false, isFresh: false });
        };
        node.run(() => kind.serve, respond);
      };
      events.after(-Math.log(1 - random()) * pause, () => sender.run(() => client, request));
    };
    for (let n = 0; n < clients; n++) ask(isHot ? 0 : index * clients + n);
    const look = () => {
      isLookDue = true;
      turn();
      events.after(LOOK, look);
    };
    events.after(random() * LOOK, look);
    return node;
  };

  const queues = [redis, network, ...Array.from({ length: count }, startNode)];
  events.runUntil(warm);
  Object.assign(seen, { commits: 0, conflicts: 0, age: 0, applied: 0, longest: 0, responses: [] });
  for (const queue of queues) queue.busy = 0;
  events.runUntil(end);
  const [inRedis = 0, inNetwork = 0, ...inNodes] = queues.map(({ busy }) => busy / (end - warm));
  const times = seen.responses.sort((a, b) => a - b);
  const within = (part: number) => (times[Math.floor(times.length * part)] ?? Number.NaN) / 1e6;
  return {
    perSecond: (times.length / (end - warm)) * 1e6,
    p50: within(0.5),
    p99: within(0.99),
    conflictsPerCommit: seen.conflicts / seen.commits,
    /** Between the append of an entry and its application on another node: the mean, and the longest. */
    staleness: seen.age / seen.applied / 1e6,
    longest: seen.longest / 1e6,
    redis: inRedis,
    network: inNetwork,
    node: inNodes.reduce((sum, busy) => sum + busy, 0) / count,
  };
}
