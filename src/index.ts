export type { Emulator, EmulatorUser } from './emulator.js';
export { createEmulator } from './emulator.js';
export type { Problem } from './fixtures/problems.js';
export { FixtureError } from './fixtures/problems.js';
export type { Fixtures } from './fixtures/schema.js';
export type { RequestLog } from './http/handler.js';
export type { EmulatorOptions } from './options.js';
export { OptionsError } from './options.js';
