import { type Static, Type } from 'typebox';
import type { Optional } from '#engine/lib/objects.js';
import type { InternalOptions } from '#engine/options/internal.js';
import { ADVANCED, listOptions, makeOptionsSchema, option } from '#engine/options/schema.js';
import { mapOf } from '#engine/schema/schema.js';
import { compile } from '#engine/schema/validator.js';
import type { GenerateOptions } from '../generator/options.js';
import { type Fixtures, PRIVACIES } from './service.collection.js';
import { GENERATE_TEXT, PROJECT_TEXT } from './texts.js';

const own = {
  /** Generated seed data instead: `{ users, vals, projects, runs, days, seed, company, people }`. Absent sizes follow from the others. */
  generate: option(GENERATE_TEXT, Type.Optional(Type.Unsafe<GenerateOptions>({})), {
    requiresArg: false,
    conflicts: ['fixtures'],
  }),
  /**
   * Folders that become projects, in addition to the seed data: `{ 'ada/site': './site' }`. Their owners are users or organizations
   * of the seed data. Paths are from the working directory.
   */
  projects: option(
    PROJECT_TEXT,
    Type.Optional(
      mapOf(Type.String({ minLength: 1, expected: 'the path of a folder' }), {
        propertyNames: { pattern: '^[^/]+/[^/]+$', expected: 'a project such as "ada/site"' },
        expected: 'folders by project, such as { "ada/site": "./site" }',
      }),
    ),
    { conflicts: ['session'], array: true },
  ),
  /** Privacy of a val that is created without one: `'private'`, `'unlisted'` or `'public'`. @default 'private' */
  defaultPrivacy: option(
    'Privacy of a val that is created without one',
    Type.Enum([...PRIVACIES], { default: 'private' }),
  ),
  /**
   * Username of the user that each login is of, without a page: `/oauth/auth` responds with a code at once, and a device need not wait.
   * Default: a page asks.
   */
  login: option(
    'Log this user in without a page when a client asks (default: a page asks)',
    Type.Optional(Type.String({ minLength: 1, expected: 'a username such as "ada"' })),
  ),
  /** Second TCP port to listen on, for a program that expects the login at another address than the API, as vt does. Default: none */
  loginPort: option(
    'Second port to listen on, for clients that expect the login at another one',
    Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535, expected: 'a port from 0 to 65535' })),
    ADVANCED,
  ),
  /**
   * Whether `/v1/me`, `/v1/users` and `/v1/alias` have the `type` of an account, and find organizations. The service has it since
   * August 2025. Strict clients of 2024 refuse it. @default false
   */
  userType: option('Add the type, user or org, to profiles, as since 2025', Type.Boolean({ default: false }), {
    ...ADVANCED,
    conflicts: ['specOnly'],
  }),
};
/** The names of the options that only this service has. */
export const OWN_OPTIONS: readonly string[] = Object.keys(own);

const OptionsSchema = makeOptionsSchema(own);

export const OPTIONS = listOptions(OptionsSchema);
export const validateOptions = compile(OptionsSchema, 'strict');

/** The options of `createEmulator`. */
export interface EmulatorOptions extends Omit<Optional<Static<typeof OptionsSchema>>, 'fixtures'>, InternalOptions {
  /**
   * Seed data: the name of a built-in dataset, the path of a folder or JSON file, or an object (type `Fixtures`).
   * @default 'default'
   */
  readonly fixtures?: string | Fixtures | undefined;
}
