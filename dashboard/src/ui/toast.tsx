import { signal } from '@preact/signals';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'success' | 'error';
}

/** Milliseconds that a message stays. */
const SHOWN_MS = { success: 3_000, error: 8_000 } as const;

const toasts = signal<readonly Toast[]>([]);
let count = 0;

/** Shows a message for some seconds. A screen reader reads it. */
export function toast(text: string, kind: Toast['kind'] = 'success'): void {
  const id = ++count;
  toasts.value = [...toasts.value, { id, text, kind }];
  setTimeout(() => {
    toasts.value = toasts.value.filter((other) => other.id !== id);
  }, SHOWN_MS[kind]);
}

export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map(({ id, text, kind }) => (
      <p key={id} class={`toast ${kind}`}>
        {text}
      </p>
    ))}
  </div>
);
