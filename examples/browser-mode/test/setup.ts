import { createEmulator } from 'val-emulator';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    emulatorUrl: string;
  }
}

/** Runs in Node: starts one emulator for all tests. */
export default async function setup({ provide }: TestProject) {
  const emulator = await createEmulator();
  provide('emulatorUrl', emulator.url);
  return () => emulator.close();
}
