import { useId, useState } from 'preact/hooks';
import { send } from '../../lib/api.js';
import { singularOf } from '../../lib/collections.js';
import { navigate, pathOf } from '../../lib/location.js';
import type { Row } from '../../lib/types.js';
import { Dialog } from '../../ui/dialog.js';
import { Editor } from '../../ui/editor.js';
import { Button, ErrorMessage } from '../../ui/elements.js';
import { useSubmission } from '../../ui/form.js';
import { ReferenceInput } from '../../ui/reference-input.js';
import { FormField, fieldOf, problemsOf } from './form.js';
import type { FormControl } from './view.js';
import { viewOf } from './views.js';

interface Parsed {
  readonly record: Readonly<Record<string, unknown>>;
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

/** Makes a record of the texts of a form. Empty fields are left out: they get their defaults. */
function parseFields(specs: readonly FormControl[], values: Readonly<Record<string, string>>): Parsed {
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
  readonly collection: string;
  readonly onClose: () => void;
  /** Values of fields at first. */
  readonly initial?: Readonly<Record<string, string>>;
}

export function AddDialog({ collection, onClose, initial = {} }: AddDialogProps) {
  const specs = viewOf(collection).form;
  const formId = useId();
  const [values, setValues] = useState(initial);
  const [unparsed, setUnparsed] = useState<Parsed['problems']>([]);
  const { isBusy, error, run } = useSubmission();
  const submit = async () => {
    const { record, problems } = parseFields(specs, values);
    setUnparsed(problems);
    if (problems.length > 0) return;
    await run(
      async () => {
        const row = await send<Row>('POST', `/records${pathOf(collection)}`, record);
        onClose();
        // People continue with a new user or val. Other records appear on the page that is open.
        if (collection === 'vals' || collection === 'users') navigate(pathOf('data', collection, row.id));
      },
      `Added the ${singularOf(collection)}.`,
    );
  };
  const problems = [...unparsed, ...(error?.problems ?? [])];
  const hasPlace = (path: string) => specs.some(({ name }) => name === fieldOf(path));
  const isPlaced =
    error !== undefined && error.problems.length > 0 && error.problems.every(({ path }) => hasPlace(path));
  return (
    <Dialog
      title={`Add a ${singularOf(collection)}`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <button type="submit" form={formId} class="button primary" disabled={isBusy}>
            Add {singularOf(collection)}
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
  readonly spec: FormControl;
  readonly value: string;
  readonly messages: readonly string[];
  readonly onInput: (value: string) => void;
}

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
        if (kind === 'users' || kind === 'vals') {
          return (
            <ReferenceInput {...attributes} collection={kind} value={value} required={required} onInput={onInput} />
          );
        }
        if (kind === 'code') {
          const language = spec.name === 'sql' ? 'sql' : 'tsx';
          return <Editor label={label} value={value} language={language} rows={8} onInput={onInput} />;
        }
        const control = {
          ...attributes,
          value,
          required,
          spellcheck: kind === 'lines',
          onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
            onInput(currentTarget.value),
        };
        if (kind === 'lines') return <textarea {...control} rows={4} />;
        return <input {...control} class={kind === 'json' ? 'mono' : ''} autocomplete="off" />;
      }}
    </FormField>
  );
}
