import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/index.js';

/** Whether each emulator is two nodes of a cluster. The project `nodes` replaces this file by test/cluster/two-nodes.ts. */
export const isShared: boolean = false;

export const start = (options: EmulatorOptions): Promise<Emulator> => createEmulator(options);
