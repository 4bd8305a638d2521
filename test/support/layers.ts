const BELOW_DEFINITION = ['engine/schema', 'engine/store', 'engine/lib'];
const BELOW_STATE = ['engine/definition', ...BELOW_DEFINITION];
const BELOW_FIXTURES = ['engine/platform', 'engine/state', ...BELOW_STATE];
const BELOW_API = ['engine/fixtures', ...BELOW_FIXTURES];
const BELOW_JOURNAL = ['engine/api', ...BELOW_API];
const BELOW_SESSION = ['engine/changes', 'engine/persistence', 'engine/journal', ...BELOW_JOURNAL];
const BELOW_FAULTS = ['engine/rate-limit', 'engine/clock', 'engine/session', ...BELOW_SESSION];
const BELOW_SANDBOX = ['engine/faults', ...BELOW_FAULTS];
const BELOW_CONTROL = ['engine/sandbox', ...BELOW_SANDBOX];
const BELOW_SERVICE = ['engine/options', 'engine/control', ...BELOW_CONTROL];
const BELOW_HTTP = ['engine/service', 'engine/mcp', 'engine/data-browser', ...BELOW_SERVICE];
const ENGINE = ['engine/http', ...BELOW_HTTP];

const VALS_MODEL = ['vals/*.rules', 'vals/*.collection', 'vals/sqlite'];
const VALS = [
  'vals/service',
  'vals/*.tools',
  'vals/*.control',
  'vals/*.sandbox',
  'vals/*.routes',
  'vals/*.schema',
  'vals/generator',
  ...VALS_MODEL,
];

/**
 * Each layer, and the layers that it may import, types included. The layer of a file is its folder, of a file with a role its role:
 * `vals/emails/emails.rules` is of `vals/*.rules`, and `engine/clock/clock.control` of `engine/control`. The files of src itself are the layer `emulator`.
 */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  'engine/lib': [],
  'engine/platform': ['engine/lib'],
  'engine/schema': ['engine/lib'],
  'engine/store': ['engine/lib'],
  'engine/definition': BELOW_DEFINITION,
  'engine/state': BELOW_STATE,
  'engine/fixtures': BELOW_FIXTURES,
  'engine/api': BELOW_API,
  'engine/openapi': ['engine/api', ...BELOW_API],
  'engine/journal': BELOW_JOURNAL,
  'engine/changes': BELOW_JOURNAL,
  'engine/persistence': ['engine/journal', ...BELOW_JOURNAL],
  'engine/session': BELOW_SESSION,
  'engine/clock': BELOW_JOURNAL,
  'engine/rate-limit': ['engine/clock', ...BELOW_JOURNAL],
  'engine/faults': BELOW_FAULTS,
  'engine/sandbox': BELOW_SANDBOX,
  'engine/control': ['engine/openapi', ...BELOW_CONTROL],
  'engine/mcp': ['engine/control', ...BELOW_CONTROL],
  'engine/data-browser': ['engine/control', ...BELOW_CONTROL],
  'engine/options': ['engine/control', ...BELOW_CONTROL],
  'engine/service': BELOW_SERVICE,
  'engine/http': BELOW_HTTP,
  'engine/make-test': ENGINE,
  'vals/sqlite': ['engine/platform', ...BELOW_STATE],
  'vals/*.collection': ['vals/sqlite', ...BELOW_FIXTURES],
  'vals/*.rules': ['vals/*.collection', 'vals/sqlite', ...BELOW_JOURNAL],
  'vals/generator': [...VALS_MODEL, ...BELOW_API],
  'vals/*.schema': [...VALS_MODEL, ...BELOW_JOURNAL],
  'vals/*.routes': ['vals/*.tools', 'vals/*.schema', ...VALS_MODEL, ...BELOW_JOURNAL],
  'vals/*.sandbox': [...VALS_MODEL, ...BELOW_CONTROL],
  'vals/*.control': ['vals/*.schema', 'vals/*.sandbox', 'vals/generator', ...VALS_MODEL, ...BELOW_SERVICE],
  'vals/*.tools': ['vals/*.schema', ...VALS_MODEL, ...BELOW_JOURNAL],
  'vals/service': ['vals/*.tools', ...VALS, ...BELOW_HTTP],
  cluster: ENGINE,
  emulator: ['cluster', 'engine/make-test', ...VALS, ...ENGINE],
  // No code of the server.
  'tools/client': [
    'vals/service',
    'vals/*.control',
    'vals/*.sandbox',
    'vals/*.routes',
    'vals/*.collection',
    ...BELOW_SERVICE,
  ],
  'tools/intercept': ['emulator', ...ENGINE],
  // The rules of conformance share no code with the emulator.
  'tools/conformance': ['engine/platform', 'engine/schema', 'engine/lib'],
  'tools/pull': ['tools/conformance', 'emulator', ...VALS, ...ENGINE],
  'tools/shrink': ['emulator', ...ENGINE],
  'tools/cli': [
    'tools/shrink',
    'tools/conformance',
    'tools/pull',
    'tools/client',
    'tools/intercept',
    'emulator',
    ...VALS,
    ...ENGINE,
  ],
  // They run in the programs of others, and each is served alone.
  'tools/std': [],
  'tools/testing': ['tools/std', 'tools/client', 'emulator', ...VALS, ...ENGINE],
};
