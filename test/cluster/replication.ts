import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { Balancer } from './balancer.js';
import { type RedisServer, startRedis, startSentinel } from './redis.js';

/** Milliseconds without a reply after which a sentinel takes a primary for dead. */
const DOWN_AFTER_MS = 500;

/** A primary and a replica that three sentinels watch, behind an address that leads to the primary. */
export interface Replication {
  /** The constant address, as HAProxy or a Service of Kubernetes has it. */
  readonly url: string;
  readonly primary: RedisServer;
  readonly replica: RedisServer;
  /** The port that the address leads to. */
  readonly target: { port: number };
  /** Cuts the replica off from the primary: what is written now is on the primary alone. */
  cutReplication(): Promise<void>;
  /** Lets a server copy the other one. */
  follow(replica: RedisServer, primary: RedisServer): Promise<void>;
  /** Resolves when the address leads to the replica, which the sentinels have made the primary. */
  promotion(): Promise<void>;
}

/** Starts them all. They are ended after the test. @param flags of both servers */
export async function startReplication(flags: readonly string[] = []): Promise<Replication> {
  const start = async (starting: Promise<RedisServer>) => {
    const server = await starting;
    onTestFinished(() => server.stop());
    return server;
  };
  const all = ['--appendonly', 'no', '--repl-diskless-sync-delay', '0', ...flags];
  const primary = await start(startRedis(all));
  const replica = await start(startRedis(all));
  const follow = async (server: RedisServer, followed: RedisServer) => {
    await server.send('REPLICAOF', '127.0.0.1', String(followed.port));
    await until(async () => (await server.send('INFO', 'replication')).includes('master_link_status:up'));
  };
  await follow(replica, primary);
  const config = `sentinel monitor store 127.0.0.1 ${primary.port} 2
sentinel down-after-milliseconds store ${DOWN_AFTER_MS}
sentinel failover-timeout store 3000
`;
  const sentinels = await Promise.all([1, 2, 3].map(() => start(startSentinel(config))));
  for (const { send } of sentinels) {
    await until(async () => (await send('INFO', 'sentinel')).includes('slaves=1,sentinels=3'));
  }
  const target = { port: primary.port, isOut: false };
  const balancer = new Balancer();
  balancer.targets.add(target);
  const { port } = new URL(await balancer.listen());
  let known = primary.port;
  const timer = setInterval(async () => {
    const reply = await sentinels[0]?.send('SENTINEL', 'get-master-addr-by-name', 'store');
    const found = Number(/(\d+)\r\n$/.exec(reply ?? '')?.[1]);
    if (found === known) return;
    known = found;
    target.port = found;
    balancer.cut(1, () => 0);
  }, 50);
  onTestFinished(() => {
    clearInterval(timer);
    balancer.close();
  });
  return {
    url: `redis://127.0.0.1:${port}/0`,
    primary,
    replica,
    target,
    async cutReplication() {
      await primary.send('ACL', 'SETUSER', 'default', '-psync', '-sync');
      await primary.send('CLIENT', 'KILL', 'TYPE', 'replica');
    },
    follow,
    promotion: () => until(async () => target.port === replica.port),
  };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if (await isSo()) return;
    await sleep(50);
  }
  throw new Error(`it did not happen within 20 s: ${isSo}`);
}
