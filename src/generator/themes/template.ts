import type { JsonValue } from '../../model/schema.js';
import type { Slot } from './slots.js';

/**
 * Parameters of a template or a run, by name, each with a specification of its random values.
 *
 * - `'oats|rye'`: one of the alternatives. A text without `|` stands for itself.
 * - `'5..20'`: a whole number. `'-3..12.5'`: a number with as many decimals as its bounds.
 * - `'10..60*5'`: a multiple of 5.
 * - `'~4..17'`: follows the time of day, as the temperature does. `'^20..80'`: rises over two months.
 * - `'@place'`: an item of that source. `%name.field%` gives its fields.
 */
export type ParamSpecs = Readonly<Record<string, string>>;

export type ParamValue = string | number;

/** Items by source: texts, or objects with a name and further fields. */
export type Sources = Readonly<
  Record<string, readonly (string | (Readonly<Record<string, ParamValue>> & { readonly name: string }))[]>
>;

/** A kind of val. Its texts are written in the syntax of `render`. */
export interface Template {
  /** `http` stands for both runtimes: older vals have the older one. */
  readonly type: 'http' | 'interval' | 'email' | 'script' | 'express' | 'rpc';
  readonly names: readonly string[];
  readonly provides?: Slot;
  /** Required imports: a val of this kind is not written before they are available. */
  readonly needs?: readonly Slot[];
  /** Imports that are used if available. */
  readonly uses?: readonly Slot[];
  /** What differs between vals of this kind. */
  readonly params?: ParamSpecs;
  /** Parameters that authors change from version to version. */
  readonly tweaks?: readonly string[];
  /** Number of extensions of the code. */
  readonly stages: number;
  readonly code: string;
  readonly readme?: string;
  /** A bug that a version can have (the lines marked `bug`), and the error of its runs. */
  readonly bug?: {
    readonly error: string;
    /** The first stage that can have it. @default 0 */
    readonly from?: number;
  };
  /** Errors that a run of any version can have. */
  readonly errors?: readonly string[];
  /** Host of a service that the val depends on and that has outages. */
  readonly upstream?: string;
  readonly runs: readonly RunShape[];
  /** Periods of an interval. */
  readonly every?: readonly string[];
  /** Comments from users. */
  readonly praise?: readonly string[];
  /** Comments that ask for a feature, and the replies after the stage that adds it. */
  readonly wishes?: readonly { readonly stage: number; readonly wish: string; readonly reply: string }[];
  /** @default 1 */
  readonly popularity?: number;
}

/** A kind of run. Its texts can use `%names%` of the parameters of the template and of the run. */
export interface RunShape {
  /** Conditions on the stage, as in the margin of a text. @default all */
  readonly when?: string;
  readonly params?: ParamSpecs;
  /** Duration in milliseconds. @default '4..60' */
  readonly ms?: string;
  readonly args?: readonly JsonValue[];
  readonly logs?: readonly JsonValue[];
  readonly returns?: JsonValue;
  readonly emails?: readonly JsonValue[];
  /** Names of two values: emails are sent if the first is less than the second. */
  readonly emailsIfBelow?: readonly [value: string, limit: string];
}

/** A subject that people write vals about. */
export interface Theme {
  readonly name: string;
  readonly bios: readonly string[];
  readonly templates: readonly Template[];
}
