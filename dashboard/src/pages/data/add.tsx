import { useId, useState } from 'preact/hooks';
import { send } from '../../lib/api.js';
import { navigate, pathOf } from '../../lib/location.js';
import type { CollectionName, Row } from '../../lib/types.js';
import { Dialog } from '../../ui/dialog.js';
import { Button, ErrorMessage } from '../../ui/elements.js';
import { useSubmission } from '../../ui/form.js';
import { ReferenceInput } from '../../ui/reference-input.js';
import { SINGULAR } from './columns.js';
import { FormField, fieldOf, problemsOf } from './form.js';

interface FieldSpec {
  readonly name: string;
  readonly label: string;
  readonly required?: boolean;
  readonly kind?: 'text' | 'lines' | 'code' | 'json' | 'user' | 'val' | readonly string[];
  readonly hint?: string;
}

const AUTHOR: FieldSpec = { name: 'author', label: 'Author', required: true, kind: 'user' };
const VAL: FieldSpec = { name: 'val', label: 'Val', required: true, kind: 'val', hint: 'As author/name' };
const CREATED: FieldSpec = {
  name: 'createdAt',
  label: 'Created',
  hint: 'A timestamp, or a time before now such as -10m. Default: now',
};

const FIELDS: Readonly<Record<CollectionName, readonly FieldSpec[]>> = {
  users: [
    { name: 'username', label: 'Username', required: true },
    { name: 'email', label: 'Email', hint: 'Default: username@example.com' },
    { name: 'token', label: 'Token', hint: 'Default: username-token' },
    { name: 'tier', label: 'Tier', kind: ['free', 'pro'] },
    { name: 'bio', label: 'Bio', kind: 'lines' },
  ],
  vals: [
    AUTHOR,
    { name: 'name', label: 'Name', required: true },
    { name: 'type', label: 'Type', kind: ['script', 'http', 'interval', 'email', 'express', 'rpc', 'httpnext'] },
    { name: 'privacy', label: 'Privacy', kind: ['public', 'unlisted', 'private'] },
    { name: 'code', label: 'Code', required: true, kind: 'code' },
    { name: 'readme', label: 'Readme', kind: 'lines', hint: 'Markdown' },
  ],
  versions: [VAL, { name: 'code', label: 'Code', required: true, kind: 'code' }, CREATED],
  runs: [
    VAL,
    { name: 'source', label: 'Source', kind: ['ui', 'api', 'interval', 'email'] },
    { name: 'runStartAt', label: 'Started', hint: 'A timestamp, or a time before now such as -10m. Default: now' },
    { name: 'duration', label: 'Duration', hint: 'Such as 2s. Default: 100ms' },
    { name: 'error', label: 'Error', hint: 'A sentence. Empty for a run that succeeds' },
    { name: 'returnValue', label: 'Return value', kind: 'json', hint: 'JSON' },
    { name: 'args', label: 'Arguments', kind: 'json', hint: 'A JSON array, such as ["ada", 3]' },
    { name: 'logs', label: 'Logs', kind: 'json', hint: 'A JSON array, such as ["10.6 °C"]' },
  ],
  likes: [{ name: 'user', label: 'User', required: true, kind: 'user' }, VAL, CREATED],
  comments: [
    AUTHOR,
    VAL,
    { name: 'comment', label: 'Comment', required: true, kind: 'lines', hint: 'Markdown' },
    CREATED,
  ],
  blobs: [
    { name: 'user', label: 'User', required: true, kind: 'user' },
    { name: 'key', label: 'Key', required: true },
    { name: 'text', label: 'Content', kind: 'lines', hint: 'Text' },
  ],
  sqlite: [
    { name: 'user', label: 'User', required: true, kind: 'user' },
    { name: 'sql', label: 'SQL', kind: 'code', hint: 'Statements that make its tables and rows' },
  ],
};

interface Parsed {
  readonly record: Readonly<Record<string, unknown>>;
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

/** Makes a record of the texts of a form. Empty fields are left out: they get their defaults. */
function parseFields(specs: readonly FieldSpec[], values: Readonly<Record<string, string>>): Parsed {
  const record: Record<string, unknown> = {};
  const problems: { path: string; message: string }[] = [];
  for (const { name, kind } of specs) {
    const text = values[name] ?? '';
    if (text.trim() === '') continue;
    if (kind !== 'json') {
      record[name] = kind === 'code' || kind === 'lines' ? text : text.trim();
      continue;
    }
    try {
      record[name] = JSON.parse(text);
    } catch {
      problems.push({ path: `record.${name}`, message: 'This is not JSON. Texts need double quotes.' });
    }
  }
  return { record, problems };
}

interface AddDialogProps {
  readonly collection: CollectionName;
  readonly onClose: () => void;
  /** Values of fields at first. */
  readonly initial?: Readonly<Record<string, string>>;
}

/** A form for a new record. */
export function AddDialog({ collection, onClose, initial = {} }: AddDialogProps) {
  const specs = FIELDS[collection];
  const formId = useId();
  const [values, setValues] = useState(initial);
  const [unparsed, setUnparsed] = useState<Parsed['problems']>([]);
  const { isBusy, error, run } = useSubmission();
  const submit = async () => {
    const { record, problems } = parseFields(specs, values);
    setUnparsed(problems);
    if (problems.length > 0) return;
    await run(async () => {
      const row = await send<Row>('POST', `/records${pathOf(collection)}`, record);
      onClose();
      // A new user or val is what one goes on with; the others show up where one is.
      if (collection === 'vals' || collection === 'users') navigate(pathOf('data', collection, row.id));
    }, `Added the ${SINGULAR[collection]}.`);
  };
  const problems = [...unparsed, ...(error?.problems ?? [])];
  const hasPlace = (path: string) => specs.some(({ name }) => name === fieldOf(path));
  const isPlaced =
    error !== undefined && error.problems.length > 0 && error.problems.every(({ path }) => hasPlace(path));
  return (
    <Dialog
      title={`Add a ${SINGULAR[collection]}`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <button type="submit" form={formId} class="button primary" disabled={isBusy}>
            Add {SINGULAR[collection]}
          </button>
        </>
      }
    >
      <form
        id={formId}
        class="record-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {error && !isPlaced && <ErrorMessage error={error} />}
        {specs.map((spec) => (
          <RecordField
            key={spec.name}
            spec={spec}
            value={values[spec.name] ?? ''}
            messages={problemsOf(spec.name, problems)}
            onInput={(value) => setValues((last) => ({ ...last, [spec.name]: value }))}
          />
        ))}
      </form>
    </Dialog>
  );
}

interface RecordFieldProps {
  readonly spec: FieldSpec;
  readonly value: string;
  readonly messages: readonly string[];
  readonly onInput: (value: string) => void;
}

/** A control for a field of a record. */
function RecordField({ spec, value, messages, onInput }: RecordFieldProps) {
  const { label, required = false, kind = 'text', hint } = spec;
  return (
    <FormField label={label} required={required} hint={hint} messages={messages}>
      {(attributes) => {
        if (typeof kind !== 'string') {
          return (
            <select
              {...attributes}
              value={value || kind[0]}
              onChange={({ currentTarget }) => onInput(currentTarget.value)}
            >
              {kind.map((choice) => (
                <option key={choice} value={choice}>
                  {choice}
                </option>
              ))}
            </select>
          );
        }
        if (kind === 'user' || kind === 'val') {
          return (
            <ReferenceInput
              {...attributes}
              collection={kind === 'user' ? 'users' : 'vals'}
              value={value}
              required={required}
              onInput={onInput}
            />
          );
        }
        const control = {
          ...attributes,
          value,
          required,
          spellcheck: kind === 'lines',
          onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
            onInput(currentTarget.value),
        };
        if (kind === 'code' || kind === 'lines') return <textarea {...control} rows={kind === 'code' ? 8 : 4} />;
        return <input {...control} class={kind === 'json' ? 'mono' : ''} autocomplete="off" />;
      }}
    </FormField>
  );
}
