import { createEmulator, type Emulator } from 'val-emulator';

export const started: Promise<Emulator> = createEmulator({ listen: false });

// @ts-expect-error: there is no such option
createEmulator({ nothing: true });
