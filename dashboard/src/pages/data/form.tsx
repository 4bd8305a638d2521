import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Problem } from '../../../../src/engine/lib/errors.js';

/** The parts of forms. */

/** The messages of the problems of a field, and of values within it: `run.logs[0]` for `logs`. */
export const problemsOf = (field: string, problems: readonly Problem[]): readonly string[] =>
  problems.filter(({ path }) => fieldOf(path) === field).map(({ message }) => message);

/** The field of a record that a path is within: `logs` of `run.logs[0]`; empty for the record. */
export const fieldOf = (path: string): string => /^[^.[]*\.([^.[]+)/.exec(path)?.[1] ?? '';

interface FormFieldProps {
  readonly label: string;
  readonly required?: boolean;
  readonly hint?: ComponentChildren;
  readonly messages?: readonly string[];
  /** Renders the control, with the attributes that join it with its label and messages. */
  readonly children: (attributes: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-invalid': boolean;
  }) => ComponentChildren;
}

/** A labelled control of a form, with what is wrong with its value. */
export function FormField({ label, required = false, hint, messages = [], children }: FormFieldProps) {
  const id = useId();
  const isInvalid = messages.length > 0;
  return (
    <div class={isInvalid ? 'field invalid' : 'field'}>
      <label class="field-label" for={id}>
        {label}
        {!required && <span class="optional"> optional</span>}
      </label>
      {children({
        id,
        'aria-describedby': isInvalid || hint !== undefined ? `${id}-hint` : undefined,
        'aria-invalid': isInvalid,
      })}
      {(isInvalid || hint !== undefined) && (
        <div id={`${id}-hint`} class={isInvalid ? 'field-error' : 'field-hint'} role={isInvalid ? 'alert' : undefined}>
          {isInvalid ? messages.map((message) => <p key={message}>{message}</p>) : hint}
        </div>
      )}
    </div>
  );
}
