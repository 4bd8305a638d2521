import { sandboxUrl } from '#engine/sandbox/sandbox.js';
import { vals } from '#vals/service/index.js';
import { createEmulator, type Emulator } from '../../../emulator.js';
import { type CliIo, defineCommand } from '../command.js';
import { emulatorFlags, startFlags, toEmulatorOptions } from '../emulator-flags.js';
import { onSignals } from '../io.js';
import { checkServer, connect, remoteFlags } from '../remote.js';
import { RequestLogger } from '../request-log.js';

const { port, ...sharedFlags } = emulatorFlags;
const { default: _, ...urlFlag } = remoteFlags.url;

/** What the file of a client has, such as `.mcp.json`. */
const CONFIGURATION = { mcpServers: { 'val-emulator': { command: 'npx', args: ['val-emulator', 'mcp'] } } };

export const mcp = defineCommand({
  variables: {
    ...sharedFlags,
    port: { ...port, default: '0' },
    url: { ...urlFlag, describe: 'URL of a running emulator, or of a sandbox (default: starts one)' },
    'control-token': remoteFlags['control-token'],
    timeout: remoteFlags.timeout,
    json: { ...remoteFlags.json, describe: 'Print errors as JSON' },
    config: startFlags.config,
  },
  configurable: sharedFlags,
  examples: {
    $0: 'in a terminal: print the configuration of a client',
    '$0 --url http://127.0.0.1:4010': 'the tools of a running emulator',
  },
  epilogue: 'Stdin and stdout have the protocol alone. The end of stdin ends the command.',
  async run({ url: running, timeout, controlToken: token, ...options }, io) {
    if (io.isInteractive) return { value: CONFIGURATION, text: JSON.stringify(CONFIGURATION, null, 2) };
    if (running) await checkServer(connect(running.base, { timeout, token }), running.base);
    const { serveMcp } = await import('#engine/mcp/stdio.js');
    // Stdout has the protocol alone.
    const logIo: CliIo = Object.create(io, { stdout: { value: io.stderr } });
    const logger = new RequestLogger(logIo, 'text', () => emulator?.users[0]?.token);
    const emulator: Emulator | undefined = running
      ? undefined
      : await createEmulator({ ...toEmulatorOptions({ ...options, controlToken: token }, io), onRequest: logger.add });
    const ending = new AbortController();
    const off = onSignals(io, ['SIGINT', 'SIGTERM', 'SIGHUP'], () => ending.abort());
    const url = emulator?.url ?? sandboxUrl(running?.base ?? '', running?.sandbox ?? '');
    try {
      await serveMcp({ url, service: vals, timeout, token }, ending.signal);
    } finally {
      off();
      await emulator?.close();
      logger.flush();
    }
    return 0;
  },
});
