import { useEffect, useId, useState } from 'preact/hooks';
import { withQuery } from '../lib/api.js';
import { at } from '../lib/location.js';
import { useResource } from '../lib/resource.js';
import type { RecordPage } from '../lib/types.js';

interface ReferenceInputProps {
  /** The collection of the record that it names: a user by username, a val by author/name, any other by id. */
  readonly collection: string;
  readonly value: string;
  /** Receives the value as one types. */
  readonly onInput?: (value: string) => void;
  /** Receives the value when it is complete: after Enter, a choice, or when the focus leaves. */
  readonly onChange?: (value: string) => void;
  readonly label?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly id?: string;
  readonly 'aria-invalid'?: boolean;
  readonly 'aria-describedby'?: string | undefined;
}

const MAX_CHOICES = 20;
/** Milliseconds without a key before the choices are read. */
const DELAY_MS = 150;

/** A field for the name of a record, which suggests the records that contain the typed text. */
export function ReferenceInput({ collection, value, onInput, onChange, label, ...props }: ReferenceInputProps) {
  const listId = useId();
  const [text, setText] = useState(value);
  const [isActive, setActive] = useState(false);
  const searched = useDelayed(text);
  // The row has author and name in two fields: it contains the typed text as a whole only without the slash.
  const q = collection === 'vals' ? searched.replace(/^.*\//s, '') : searched;
  const path = withQuery(`/records/${collection}`, { q, limit: MAX_CHOICES, at: at.value });
  const { data } = useResource<RecordPage>(isActive ? path : undefined);
  useEffect(() => setText(value), [value]);
  const choices = (data?.records ?? []).map((row) =>
    collection === 'vals' ? `${row.author}/${row.name}` : String(row.username ?? row.id),
  );
  return (
    <>
      <input
        {...props}
        list={listId}
        value={text}
        aria-label={label}
        autocomplete="off"
        spellcheck={false}
        onFocus={() => setActive(true)}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          onInput?.(currentTarget.value);
        }}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value.trim())}
      />
      <datalist id={listId}>
        {choices.map((choice) => (
          <option key={choice} value={choice} />
        ))}
      </datalist>
    </>
  );
}

/** A value that follows after a pause. */
export function useDelayed<T>(value: T): T {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), DELAY_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return delayed;
}
