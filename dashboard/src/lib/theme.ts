import { signal } from '@preact/signals';
import { readStored, store } from './storage.js';

const KEY = 'val-emulator theme';
const stored = readStored('localStorage', KEY);

export const isDark = signal(
  stored === null ? window.matchMedia('(prefers-color-scheme: dark)').matches : stored === 'dark',
);
if (stored !== null) apply();

function apply(): void {
  document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light';
}

/** Chooses dark or light colors, also for the next visit. */
export function setDark(value: boolean): void {
  isDark.value = value;
  store('localStorage', KEY, value ? 'dark' : 'light');
  apply();
}
