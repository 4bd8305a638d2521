import { type Static, Type } from 'typebox';
import type { ApiRouter } from '../api/router.js';
import { OptionsError } from '../lib/errors.js';
import { type Optional, omitUndefined } from '../lib/objects.js';
import type { Instant } from '../lib/time.js';
import { record } from '../schema/schema.js';
import { describeErrors } from '../schema/schema-errors.js';
import { compile } from '../schema/validator.js';
import type { StateStore } from '../state/state.js';
import { addFault, FaultDuration, type FaultRecord, parseFault } from './faults.js';
import { CHAOS, CHAOS_NAMES } from './presets.js';

export const ChaosSchema = record('Chaos', {
  name: Type.Enum([...CHAOS_NAMES], { description: 'Which list of faults' }),
  seed: Type.Optional(
    Type.Union([Type.Integer(), Type.String()], {
      expected: 'a whole number or a string',
      description: 'Another seed selects other requests. Default: 0',
    }),
  ),
  /** FaultDuration such as `'30s'`, or milliseconds, after which the faults end by the clock of the sandbox. */
  for: Type.Optional(FaultDuration),
});
type ChaosInput = Static<typeof ChaosSchema>;
export type ChaosOptions = Optional<Omit<ChaosInput, 'name'>>;

const isChaos = compile(ChaosSchema, 'strict');

/** Parses a name and its options. @throws OptionsError for an unknown name, and for a wrong value */
function parseChaos(options: unknown): ChaosInput {
  const input = omitUndefined(options);
  if (isChaos(input)) return input;
  throw new OptionsError(describeErrors(isChaos.errors, ''));
}

/**
 * Arms the faults of a name.
 * @throws OptionsError for an unknown name, for a wrong value, and when the faults are too many or last too long
 */
export function armChaos(store: StateStore, options: unknown, router: ApiRouter, now: Instant): FaultRecord[] {
  const input = parseChaos(options);
  const { faults, ...preset } = CHAOS[input.name];
  return store.update((draft) =>
    faults.map((fault, i) => {
      // Faults with the same seed would select the same requests.
      const seed = `${input.seed ?? 0}:${i}`;
      return addFault(draft, parseFault({ ...fault, seed, for: input.for ?? preset.for }), router, now);
    }),
  );
}
