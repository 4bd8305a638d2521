import { OptionsError } from '../fixtures/problems.js';
import { placeOf } from './flags.js';

/** Ends the program as a command line does that could not do what was asked: a sentence, exit code 2. */
export function exit(reason: unknown): never {
  complain(reason);
  process.exit(2);
}

/** Says what could not be done. */
export const complain = (reason: unknown): void => void process.stderr.write(`val-emulator: ${sentenceFor(reason)}\n`);

function sentenceFor(reason: unknown): string {
  if (!(reason instanceof OptionsError)) return reason instanceof Error ? reason.message : String(reason);
  return reason.problems.map(({ place, message }) => `${placeOf(place)}: ${message}`).join('\n');
}
