import { createEmulator, type Emulator, FixtureError } from 'val-emulator';
import * as jest from 'val-emulator/jest';

export const started: Promise<Emulator> = createEmulator({ fixtures: { users: [{ username: 'ada' }] }, listen: false });
export const isKnown = (error: unknown): error is FixtureError => error instanceof FixtureError;
export class OwnError extends FixtureError {}

// One type for each class, at both entry points.
export const same: typeof createEmulator = jest.createEmulator;
export const error: FixtureError = new jest.FixtureError([]);

// @ts-expect-error: there is no such option
createEmulator({ nothing: true });
