import { existsSync } from 'node:fs';
import { readChunks } from '#engine/lib/steps.js';
import { escapePattern, formatCount } from '#engine/lib/text.js';
import type { State } from '#engine/state/state.js';
import { type CliIo, fail } from './command.js';
import type { FixtureFile } from './fixture-file.js';
import { printError, printLine, quoteName } from './io.js';
import { fixtureFile, writeFiles } from './output.js';
import type { AnyEmulator } from './start-service.js';

/** The file of the key `w` without a file to write back to, in the working directory. */
const NEW_FILE = 'fixtures.json';

const formatHelp = (write: string): string =>
  [
    'Keys:',
    '  r  reset to the seed data',
    '  s  take a snapshot',
    `  w  ${write}`,
    '  o  open the dashboard (or Enter)',
    '  c  clear the list of requests',
    '  q  quit',
    '  h  list the keys',
  ].join('\n');

interface KeyActions {
  open(): void;
  stop(): void;
  /** Counts the changes that the end would lose. */
  countLost(): number;
  /** Called with the state that was written to a file. */
  onWritten(state: State): void;
  /** Returns the file that the records were loaded from, if they can be written back to it. */
  findFile(): FixtureFile | undefined;
}

interface KeyReader extends Disposable {
  /** Resolves to the key that replies to the question on the terminal. Undefined without a question. */
  readonly answered: Promise<unknown> | undefined;
}

/**
 * Reads keys from the terminal while the emulator runs.
 * @returns what restores the terminal
 */
export function readKeys(
  io: CliIo,
  emulator: AnyEmulator,
  { open, stop, countLost, onWritten, findFile }: KeyActions,
): KeyReader {
  const { stdin, stdout, signals } = io;
  /** The action that the last key has warned about. */
  let warned: 'stop' | 'reset' | undefined;
  const nameFile = (): string => quoteName(findFile()?.path ?? NEW_FILE);
  /** Ends the command; the first time, if changes would be lost, it says what keeps them. */
  const askToStop = (before: typeof warned) => {
    const lost = countLost();
    if (lost === 0 || before === 'stop') return stop();
    warned = 'stop';
    printLine(
      io,
      `${formatCount(lost, 'change')} would be lost. Press w to write ${nameFile()}, Ctrl-C again to stop.`,
    );
  };
  /** Resets; the first time, if there are changes, it says so. A snapshot keeps them. */
  const askToReset = async (before: typeof warned) => {
    if (emulator.isShared)
      fail('Other emulators share this store: val-emulator reset --yes resets it for all of them.');
    const changes = formatCount(emulator.store.commits, 'change');
    if (emulator.store.commits > 0 && before !== 'reset') {
      warned = 'reset';
      return printLine(io, `${changes} would be undone. Press r again to reset; a snapshot keeps them.`);
    }
    const name = await emulator.change(() => {
      const taken = emulator.store.commits > 0 ? emulator.snapshot() : undefined;
      emulator.reset();
      return taken;
    });
    const undo = `val-emulator snapshot restore ${name} --url ${emulator.url}`;
    printLine(
      io,
      `Reset to the seed data.${name === undefined ? '' : ` Snapshot ${name} has the ${changes}: ${undo}`}`,
    );
  };
  /** Receives the next key, in response to a question. */
  let onAnswer: ((key: string) => void) | undefined;
  let answered: Promise<string> | undefined;
  /** Asks for a key: all but `y`, Ctrl-C too, mean no. */
  const confirm = async (question: string): Promise<boolean> => {
    stdout.write(`${question} [y/N] `);
    answered = new Promise((resolve) => {
      onAnswer = resolve;
    });
    const key = await answered;
    answered = undefined;
    printLine(io, /^\w$/.test(key) ? key : '');
    return /^y$/i.test(key);
  };
  const writeNew = async (state: State) => {
    if (existsSync(NEW_FILE) && !(await confirm(`${NEW_FILE} exists and would be replaced. Continue?`))) return;
    const { writeState } = await import('#engine/fixtures/export-options.js');
    const steps = writeState(state, emulator.clock.now.getTime(), { relative: true, brief: true });
    const file = {
      path: NEW_FILE,
      kind: fixtureFile(emulator.store.state.definitions.names),
      chunks: readChunks(steps),
    };
    await writeFiles(io, [file], { label: 'w', isInterruptible: false, force: true });
    onWritten(state);
    printLine(io, `Wrote ${NEW_FILE}: val-emulator start --fixtures ${NEW_FILE} loads it.`);
  };
  const write = async () => {
    const { state } = emulator.store;
    const file = findFile();
    if (!file) return writeNew(state);
    if (!(await confirm(`Write the changes back to ${nameFile()}?`))) return;
    const unlinked = await file.write(io, emulator);
    onWritten(state);
    printLine(io, unlinked ? `Wrote the changes to ${nameFile()}.` : `${nameFile()} has these records already.`);
    for (const folder of unlinked ?? [])
      printLine(io, `It names the folder ${quoteName(folder)} no longer, but has its files: the project was changed.`);
  };
  const actions: Readonly<Record<string, (before: typeof warned) => void | Promise<void>>> = {
    h: () => printLine(io, formatHelp(`write the ${findFile() ? 'changes back' : 'records'} to ${nameFile()}`)),
    r: askToReset,
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
    w: write,
    q: askToStop,
    [CTRL_C]: askToStop,
    [CTRL_D]: askToStop,
    [CTRL_Z]: () => {
      release();
      io.raise('SIGTSTP');
    },
  };
  const act = async (key: string) => {
    const before = warned;
    warned = undefined;
    await actions[key]?.(before);
  };
  let readTyped = createKeyReader();
  const onData = (text: Buffer | string) => {
    for (const key of readTyped(String(text))) {
      if (onAnswer) {
        onAnswer(key);
        onAnswer = undefined;
        continue;
      }
      act(key).catch((error: unknown) => printError(io, error));
    }
  };
  // Past the guard of the output, which writes control characters as text.
  const mark = (isOn: boolean) => (stdout.unguarded ?? stdout).write(markPastes(isOn));
  let isReading = false;
  const release = () => {
    if (!isReading) return;
    isReading = false;
    stdin.off('data', onData);
    mark(false);
    stdin.setRawMode(false);
    stdin.pause();
  };
  const take = () => {
    // The system stops a background process that changes the terminal or reads from it.
    if (isReading || !io.isForeground()) return;
    isReading = true;
    stdin.setRawMode(true);
    mark(true);
    readTyped = createKeyReader();
    stdin.on('data', onData);
    stdin.resume();
  };
  // After Ctrl-Z, or a job that the shell moved.
  signals.on('SIGCONT', take);
  take();
  return {
    get answered() {
      return answered;
    },
    [Symbol.dispose]() {
      signals.off('SIGCONT', take);
      release();
    },
  };
}

/** What a terminal sends before and after pasted text, once it is asked to. Source: xterm, bracketed paste mode. */
const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';
const PASTE = new RegExp(`${escapePattern(PASTE_START)}.*?${escapePattern(PASTE_END)}`, 'gs');

/** Switches the marks of pasted text on or off. */
const markPastes = (isOn: boolean): string => `\u001b[?2004${isOn ? 'h' : 'l'}`;

/** Control characters, which a terminal in raw mode sends as keys. */
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const CTRL_Z = '\u001a';
const CONTROLS = [CTRL_C, CTRL_D, CTRL_Z];

/** Creates a function that returns the typed keys of the text of a read, without pasted text. */
export function createKeyReader(): (text: string) => readonly string[] {
  /** The mark of a paste whose end has not arrived, with the characters in which that may begin. */
  let open = '';
  return (text) => {
    // A lone control character is a key, also if the end of a paste was lost.
    const joined = (CONTROLS.includes(text) ? text : open + text).replaceAll(PASTE, '');
    const [typed = '', ...pasted] = joined.split(PASTE_START);
    open = pasted.length === 0 ? '' : PASTE_START + pasted.join('').slice(1 - PASTE_END.length);
    const keys = [...typed];
    // Other terminals do not mark a paste, but send it at once.
    return [...text].length === 1 ? keys : keys.filter((key) => CONTROLS.includes(key));
  };
}
