import { signal } from '@preact/signals';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'success' | 'error';
  /** Takes back what it says. Returns false if there was nothing to take back. */
  readonly undo: (() => Promise<unknown>) | undefined;
}

/** Milliseconds that a message stays. */
const SHOWN_MS = { success: 3_000, error: 8_000 } as const;

const toasts = signal<readonly Toast[]>([]);
let count = 0;

/** Shows a message for some seconds, longer with a button that takes it back. A screen reader reads it. */
export function toast(text: string, kind: Toast['kind'] = 'success', undo?: Toast['undo']): void {
  const id = ++count;
  toasts.value = [...toasts.value, { id, text, kind, undo }];
  setTimeout(() => drop(id), SHOWN_MS[undo ? 'error' : kind]);
}

function drop(id: number): void {
  toasts.value = toasts.value.filter((other) => other.id !== id);
}

async function takeBack({ id, undo }: Toast): Promise<void> {
  drop(id);
  try {
    if ((await undo?.()) !== false) toast('Undone.');
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), 'error');
  }
}

export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map((each) => (
      <p key={each.id} class={`toast ${each.kind}`}>
        {each.text}
        {each.undo && (
          <button type="button" class="button" onClick={() => void takeBack(each)}>
            Undo
          </button>
        )}
      </p>
    ))}
  </div>
);
