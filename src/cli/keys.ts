import type { Emulator } from '../emulator.js';
import { type CliIo, fail } from './command.js';
import { printError, printLine } from './io.js';

/** Control characters, which a terminal in raw mode sends as keys. */
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const CTRL_Z = '\u001a';

const HELP = `Keys:
  r  reset to the seed data
  s  take a snapshot
  o  open the dashboard (or Enter)
  c  clear the list of requests
  q  quit
  h  list the keys`;

/**
 * Reads keys from the terminal while the emulator runs.
 * @param open opens the dashboard
 * @param stop ends the command
 * @returns what restores the terminal
 */
export function readKeys(io: CliIo, emulator: Emulator, open: () => void, stop: () => void): Disposable {
  const { stdin, signals } = io;
  const actions: Readonly<Record<string, () => void | Promise<void>>> = {
    h: () => printLine(io, HELP),
    r: async () => {
      if (emulator.isShared)
        fail('Other emulators share this store: val-emulator reset --yes resets it for all of them.');
      await emulator.change(() => emulator.reset());
      printLine(io, 'Reset to the seed data.');
    },
    s: async () => {
      const name = await emulator.change(() => emulator.snapshot());
      printLine(io, `Took snapshot ${name}.`);
    },
    o: open,
    // Enter.
    '\r': open,
    '\n': open,
    c: async () => {
      await emulator.change(() => emulator.clearRequests());
      printLine(io, 'Cleared the list of requests.');
    },
    q: stop,
    [CTRL_C]: stop,
    [CTRL_D]: stop,
    [CTRL_Z]: () => {
      release();
      io.raise('SIGTSTP');
    },
  };
  const act = async (key: string) => actions[key]?.();
  const onData = (keys: Buffer | string) => {
    for (const key of String(keys)) {
      act(key).catch((error: unknown) => printError(io, error));
    }
  };
  let isReading = false;
  const release = () => {
    if (!isReading) return;
    isReading = false;
    stdin.off('data', onData);
    stdin.setRawMode(false);
    stdin.pause();
  };
  const take = () => {
    // The system stops a background process that changes the terminal or reads from it.
    if (isReading || !io.isForeground()) return;
    isReading = true;
    stdin.setRawMode(true);
    stdin.on('data', onData);
    stdin.resume();
  };
  // After Ctrl-Z, or a job that the shell moved.
  signals.on('SIGCONT', take);
  take();
  return {
    [Symbol.dispose]() {
      signals.off('SIGCONT', take);
      release();
    },
  };
}
