import type { RequestHandler } from 'msw';
import { createEmulator } from 'val-emulator';
import { handlers } from 'val-emulator/msw';

const emulator = await createEmulator({ listen: false });
export const all: RequestHandler[] = [
  ...handlers(emulator),
  ...handlers(emulator, 'https://api.example.test'),
  ...handlers(emulator.sandbox(), 'https://api.example.test'),
];

// @ts-expect-error: an emulator is needed
handlers('https://api.example.test');
