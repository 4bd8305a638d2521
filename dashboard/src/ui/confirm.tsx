import type { ComponentChildren } from 'preact';
import { Dialog } from './dialog.js';
import { ActionButton, Button } from './elements.js';

/** Asks before something is lost. */
export const ConfirmDialog = ({
  title,
  children,
  button,
  disabled = false,
  action,
  done,
  onClose,
}: {
  readonly title: string;
  /** Says what is lost. */
  readonly children: ComponentChildren;
  /** Text of the button that does it. */
  readonly button: string;
  readonly disabled?: boolean;
  readonly action: () => Promise<unknown>;
  readonly done?: string;
  readonly onClose: () => void;
}) => (
  <Dialog
    title={title}
    onClose={onClose}
    footer={
      <>
        <Button onClick={onClose}>Cancel</Button>
        <ActionButton
          kind="danger"
          disabled={disabled}
          {...(done === undefined ? {} : { done })}
          action={async () => {
            await action();
            onClose();
          }}
        >
          {button}
        </ActionButton>
      </>
    }
  >
    <div class="stack">{children}</div>
  </Dialog>
);
