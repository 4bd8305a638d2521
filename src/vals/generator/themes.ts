import type { JsonValue } from '#engine/definition/parts.js';
import { readFolder } from '#engine/platform/package-files.js';
import type { ValType } from '#vals/service/service.collection.js';

/** A function of vals that others import. Vals that provide the same slot are interchangeable. */
export type Slot = string;

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

/** A kind of val. Its code and readme, a line an item in its file, are in the syntax of `render`. */
export interface Template {
  /** `http` stands for both runtimes: older vals have the older one. */
  readonly type: 'http' | 'interval' | 'email' | 'script' | 'express' | 'rpc';
  readonly names: readonly string[];
  readonly provides?: Slot;
  /** Required imports: a val of this kind is not written before they are available. */
  readonly needs?: readonly Slot[];
  /** Imports that are used if available. */
  readonly uses?: readonly Slot[];
  /** The differences between vals of this kind. */
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

/** The phrases of people. `%self%` is the name of a val, `%user%` its author. */
export interface Phrases {
  /** Bios that fit any theme. */
  readonly bios: readonly string[];
  /** Comments on any val. */
  readonly praise: readonly string[];
  readonly praiseOfType: Readonly<Record<ValType, readonly string[]>>;
  /** Questions with replies. */
  readonly questions: Readonly<Record<string, string>>;
  readonly reports: readonly string[];
  /** Replies to bug reports. */
  readonly repairs: readonly string[];
  /** Comments by an author who imports the val. `%link%` is their val. */
  readonly mentions: readonly string[];
  readonly thanks: readonly string[];
  /** Errors of runs during an outage of a service. */
  readonly outages: readonly string[];
}

/** How authors name the request and the email of a handler, and how they declare handlers. */
export interface Styles {
  readonly requestNames: readonly string[];
  readonly emailNames: readonly string[];
  readonly handlers: readonly Readonly<Record<string, string>>[];
}

/** The values of parameters that Faker has no list of. */
export interface FixedSources {
  readonly companySuffixes: readonly string[];
  readonly sources: Sources;
}

/** A template as a file has it: its texts are lists of lines. */
interface TemplateFile extends Omit<Template, 'code' | 'readme'> {
  readonly code: readonly string[];
  readonly readme?: readonly string[];
}

export interface ThemeFile extends Pick<Theme, 'name' | 'bios'> {
  readonly templates: readonly TemplateFile[];
}

/** All that generated data are made of, read from `fixtures/themes`. */
export type Themes = ReturnType<typeof loadThemes>;

/** In the order in which they are drawn. */
export const THEMES = [
  ...['weather', 'feeds', 'code', 'language', 'site', 'pictures', 'uptime', 'money'],
  ...['kitchen', 'notes', 'bots', 'games', 'shelf', 'ways', 'data', 'sport'],
];

/** Reads the themes. They are trusted, since tests validate them. */
export function loadThemes() {
  const files = readFolder('fixtures/themes');
  const readFile = <T>(name: string): T => JSON.parse(files[`${name}.json`] ?? '');
  const themes = THEMES.map((name) => readFile<ThemeFile>(name)).map((theme) => ({
    ...theme,
    templates: toTemplates(theme),
  }));
  /** Templates that authors of all themes use, and experiments of all authors. */
  const [common, scratch] = [toTemplates(readFile('common')), toTemplates(readFile('scratch'))];
  return {
    ...{ themes, common, scratch },
    standard: toTemplates(readFile('standard')),
    /** All except the standard library. */
    templates: [...themes.flatMap(({ templates }) => templates), ...common, ...scratch],
    phrases: readFile<Phrases>('phrases'),
    styles: readFile<Styles>('styles'),
    ...readFile<FixedSources>('sources'),
  };
}

const toTemplates = ({ templates }: Pick<ThemeFile, 'templates'>): Template[] =>
  templates.map(({ code, readme, ...others }) => ({
    ...others,
    code: code.join('\n'),
    ...(readme && { readme: readme.join('\n') }),
  }));
