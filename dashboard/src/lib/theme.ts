import { signal } from '@preact/signals';

const KEY = 'val-emulator theme';
const stored = localStorage.getItem(KEY);

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
  localStorage.setItem(KEY, value ? 'dark' : 'light');
  apply();
}
