import { OptionsError } from '../fixtures/problems.js';
import { placeOf } from './flags.js';

/** Ends the program as a command line does that could not do what was asked: a sentence, exit code 2. */
export function exit(reason: unknown): never {
  process.stderr.write(`val-emulator: ${sentenceFor(reason)}\n`);
  process.exit(2);
}

function sentenceFor(reason: unknown): string {
  if (!(reason instanceof OptionsError)) return reason instanceof Error ? reason.message : String(reason);
  return reason.problems.map(({ place, message }) => `${placeOf(place)}: ${message}`).join('\n');
}
