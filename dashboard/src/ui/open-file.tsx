import { signal as makeSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isSession, removeComments } from '../../../src/engine/lib/json.js';
import { control, dashboardUrl, toControlError } from '../lib/api.js';
import { Icon } from './icons.js';
import { toast } from './toast.js';

/** Whether a file is dragged over the page. */
const isDragging = makeSignal(false);

/** Opens a fixture or a session in a new sandbox, and its dashboard. */
async function openFile(file: File): Promise<void> {
  try {
    const text = await file.text();
    const { name } = await control.openSandbox({
      title: file.name.replace(/\.\w+$/, ''),
      ...(isSession(text) ? { session: text } : { fixtures: parseFixture(text, file.name) }),
    });
    window.location.href = dashboardUrl(name);
  } catch (error) {
    const { message, problems } = toControlError(error);
    toast(
      [message, ...problems.slice(0, 3).map((problem) => `${problem.path}: ${problem.message}`)].join(' '),
      'error',
    );
  }
}

function parseFixture(text: string, name: string): object {
  let value: unknown;
  try {
    value = JSON.parse(removeComments(text));
  } catch {
    // Reported below, as any other text.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Error(`${name} is neither a fixture in JSON nor a session: choose a file that val-emulator has written.`);
}

/** Takes files that are dropped on the page. */
export function DropArea() {
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
    const onDrag = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isDragging.value = event.type === 'dragover';
    };
    const onLeave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) isDragging.value = false;
    };
    const onDrop = (event: DragEvent) => {
      onDrag(event);
      const file = event.dataTransfer?.files[0];
      if (file) void openFile(file);
    };
    const abort = new AbortController();
    const { signal } = abort;
    window.addEventListener('dragover', onDrag, { signal });
    window.addEventListener('dragleave', onLeave, { signal });
    window.addEventListener('drop', onDrop, { signal });
    return () => abort.abort();
  }, []);
  if (!isDragging.value) return null;
  return (
    <div class="drop-area">
      <p>Drop a fixture or a session: it opens in a new sandbox.</p>
    </div>
  );
}

/** Chooses a file, for those who do not drag. */
export const OpenFile = () => (
  <label class="button">
    <Icon name="add" />
    Open a fixture or session
    <input
      class="visually-hidden"
      type="file"
      accept=".json,.jsonc,.ndjson"
      onChange={({ currentTarget }) => {
        const file = currentTarget.files?.[0];
        currentTarget.value = '';
        if (file) void openFile(file);
      }}
    />
  </label>
);
