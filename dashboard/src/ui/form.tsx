import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { type ControlError, toControlError } from '../lib/api.js';
import { Button, ErrorMessage } from './elements.js';
import type { IconName } from './icons.js';
import { toast } from './toast.js';

// Forms that send something to the emulator, with its errors at their fields.

export interface Submission {
  readonly isBusy: boolean;
  /** The error, if it has no place at a field of the form. */
  readonly error: ControlError | undefined;
  /** The message for a field, by the first step of the path of a problem. */
  readonly errorAt: (field: string) => string | undefined;
  readonly run: (action: () => Promise<unknown>, done?: string) => Promise<boolean>;
  readonly clear: () => void;
}

/** A path may begin with the part of the request that has the field: `body.delay`. */
const fieldOf = (path: string): string => path.replace(/^body[./]/, '').split(/[.[/]/)[0] ?? '';

/** Runs the request of a form. @param fields names of the fields that show their errors */
export function useSubmission(fields: readonly string[] = []): Submission {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ControlError | undefined>(undefined);
  const run = async (action: () => Promise<unknown>, done?: string): Promise<boolean> => {
    setBusy(true);
    setError(undefined);
    try {
      await action();
      if (done !== undefined) toast(done);
      return true;
    } catch (cause) {
      setError(toControlError(cause));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const problems = error?.problems ?? [];
  const hasPlace = problems.length > 0 && problems.every(({ path }) => fields.includes(fieldOf(path)));
  return {
    isBusy,
    error: hasPlace ? undefined : error,
    errorAt: (field) => {
      const found = problems.filter(({ path }) => fieldOf(path) === field);
      return found.length === 0 ? undefined : found.map(({ message }) => message).join(' ');
    },
    run,
    clear: () => setError(undefined),
  };
}

/** A form with a button. Enter sends it. */
export function Form({
  label,
  submission,
  button,
  icon,
  kind,
  onSubmit,
  inline = false,
  disabled = false,
  children,
  more,
}: {
  /** For screen readers. */
  readonly label: string;
  readonly submission: Submission;
  readonly button: string;
  readonly icon?: IconName;
  readonly kind?: 'primary' | undefined;
  readonly onSubmit: () => void;
  /** Whether the button is beside the fields. */
  readonly inline?: boolean;
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
  /** More buttons. */
  readonly more?: ComponentChildren;
}) {
  const buttons = (
    <div class="actions">
      <Button
        type="submit"
        {...(kind === undefined ? {} : { kind })}
        {...(icon === undefined ? {} : { icon })}
        disabled={submission.isBusy || disabled}
      >
        {button}
      </Button>
      {more}
    </div>
  );
  return (
    <form
      class={inline ? 'form inline' : 'form'}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!submission.isBusy) onSubmit();
      }}
    >
      {children}
      {buttons}
      {submission.error && <ErrorMessage error={submission.error} />}
    </form>
  );
}

/** A field of text with its hint and its error. */
export function TextField({
  label,
  value,
  onInput,
  error,
  hint,
  placeholder,
  list,
  type = 'text',
  rows,
  mono = false,
  required = false,
}: {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly error?: string | undefined;
  readonly hint?: ComponentChildren;
  readonly placeholder?: string | undefined;
  /** Values that are suggested. */
  readonly list?: readonly string[];
  readonly type?: 'text' | 'search' | 'datetime-local';
  /** Lines of a longer text. */
  readonly rows?: number;
  readonly mono?: boolean;
  readonly required?: boolean;
}) {
  const id = useId();
  const description = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean);
  const attributes = {
    id,
    value,
    placeholder,
    required,
    class: mono ? 'mono' : '',
    spellcheck: false,
    autocomplete: 'off',
    'aria-invalid': error !== undefined,
    'aria-describedby': description.length === 0 ? undefined : description.join(' '),
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onInput(currentTarget.value),
  } as const;
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      {rows === undefined ? (
        <input
          {...attributes}
          type={type}
          step={type === 'datetime-local' ? '0.001' : undefined}
          list={list && `${id}-list`}
        />
      ) : (
        <textarea {...attributes} rows={rows} />
      )}
      {list && (
        <datalist id={`${id}-list`}>
          {list.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      <FieldNotes id={id} error={error} hint={hint} />
    </div>
  );
}

const FieldNotes = ({
  id,
  error,
  hint,
}: {
  readonly id: string;
  readonly error: string | undefined;
  readonly hint: ComponentChildren;
}) => (
  <>
    {error !== undefined && (
      <p class="field-error" id={`${id}-error`} role="alert">
        {error}
      </p>
    )}
    {hint !== undefined && (
      <p class="field-hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
  </>
);

export interface Option {
  readonly value: string;
  readonly title: string;
}

export function SelectField({
  label,
  value,
  options,
  onSelect,
  error,
  hint,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onSelect: (value: string) => void;
  readonly error?: string | undefined;
  readonly hint?: ComponentChildren;
}) {
  const id = useId();
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onChange={({ currentTarget }) => onSelect(currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
      <FieldNotes id={id} error={error} hint={hint} />
    </div>
  );
}
