import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './elements.js';

/** A modal dialog. Escape and a click beside it close it. */
export function Dialog({
  title,
  onClose,
  children,
  footer,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly footer?: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  /** Where the pointer went down: a text that is selected to beyond the edge ends on the backdrop. */
  const pressed = useRef<EventTarget | null>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The browser gives the focus back when a dialog closes, but not when it is removed. useEffect cleans up after the removal.
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it as well
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={() => {
        if (dialog.current) onClose();
      }}
      onPointerDown={({ target }) => {
        pressed.current = target;
      }}
      onClick={({ target }) => {
        if (target === dialog.current && target === pressed.current) onClose();
      }}
    >
      <div class="dialog-content">
        <header>
          <h2>{title}</h2>
          <Button icon="close" kind="plain" label="Close" onClick={onClose} />
        </header>
        <div class="dialog-body">{children}</div>
        {footer !== undefined && <footer>{footer}</footer>}
      </div>
    </dialog>
  );
}
