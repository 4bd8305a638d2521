import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeBusyPort } from '#engine/http/address.js';
import { defineCommand, fail, flag, jsonFlag, numberFlag } from '../command.js';
import { type Detached, findDetached, forgetDetached } from '../detached.js';
import { formatTable, quoteName } from '../io.js';
import { DEFAULT_PORT, LAST_PORT } from '../ports.js';
import { isAlive } from '../processes.js';
import { parseUrl } from '../remote.js';

const LOOPBACK = '127.0.0.1';
const POLL_INTERVAL_MS = 50;
/** How long an emulator has to end: its grace period, and the time of --drain. */
const STOP_TIMEOUT_MS = 30_000;

const describeSilent = ({ url, pid }: Detached): string =>
  `${url} (pid ${pid}) does not respond. End it by its process id, unless another program has that by now.`;

/** Lists the ports that `start` may take without a flag, but for the free ones. */
async function listBusyPorts() {
  const ports = Array.from({ length: LAST_PORT - DEFAULT_PORT + 1 }, (_, i) => DEFAULT_PORT + i);
  const found = ports.map(async (port) =>
    (await isListening(port)) ? [{ port, description: await describeBusyPort(LOOPBACK, port) }] : [],
  );
  return (await Promise.all(found)).flat();
}

/** Whether a program accepts connections. */
async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, LOOPBACK);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export const status = defineCommand({
  variables: { json: jsonFlag('the list') },
  examples: { $0: 'with the process, the folder and the log of each, and who else uses the ports of start' },
  async run(_, io) {
    const { running, silent, ended } = await findDetached(io);
    const rows = running.map(({ url, pid, startedAt, cwd, log }) => ({
      url,
      pid,
      started: startedAt,
      folder: cwd,
      log,
    }));
    const lines = [
      ...silent.map(describeSilent),
      ...ended.map(({ url, pid, log }) => `${url} (pid ${pid}) has ended without a stop; its log: ${quoteName(log)}`),
    ];
    const known = running.map(({ url }) => Number(new URL(url).port));
    const others = (await listBusyPorts()).filter(({ port }) => !known.includes(port));
    const table = formatTable(io, rows, 'No emulator runs in the background.');
    const text = [table, ...lines, ...others.map(({ description }) => `Port ${description}`)].join('\n');
    return { value: running, text };
  },
});

const toOrigin = (url: string): string => new URL(url).origin.replace('//localhost:', `//${LOOPBACK}:`);

export const stop = defineCommand({
  variables: {
    url: { ...flag('URL of the emulator (default: the only one)'), coerce: parseUrl },
    json: jsonFlag('the address and the process id'),
  },
  flags: { port: { ...numberFlag('Port of the emulator, in place of its URL'), alias: 'p' } },
  examples: { $0: 'as Ctrl-C does in a terminal', '$0 --port 4011': 'one of several' },
  async run({ port, url: wanted }, io) {
    const { running, silent } = await findDetached(io);
    const isChosen = ({ url }: Detached) =>
      port === undefined
        ? wanted === undefined || toOrigin(url) === toOrigin(wanted.base)
        : new URL(url).port === String(port);
    const found = running.filter(isChosen);
    const [emulator, ...others] = found;
    if (!emulator) {
      const lines = silent.filter(isChosen).map(describeSilent);
      if (lines.length > 0) fail(lines.join('\n'), 'unreachable');
      const where = port === undefined ? wanted && ` at ${wanted.base}` : ` on port ${port}`;
      return fail(
        `No emulator${where ?? ''} runs in the background. Only start --detach starts one there; Ctrl-C in its terminal ends another.`,
        'unreachable',
      );
    }
    if (others.length > 0)
      fail(`Several emulators run: ${found.map(({ url }) => url).join(', ')}. Choose one by --url or --port.`);
    const { url, pid } = emulator;
    process.kill(pid, 'SIGTERM');
    for (let waited = 0; isAlive(pid); waited += POLL_INTERVAL_MS) {
      if (waited >= STOP_TIMEOUT_MS) fail(`${url} (pid ${pid}) has not ended after 30 s.`, 'failed');
      await sleep(POLL_INTERVAL_MS);
    }
    forgetDetached(io.env, emulator);
    return { value: { url, pid }, text: `Stopped ${url} (pid ${pid}).` };
  },
});
