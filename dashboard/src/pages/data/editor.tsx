import { useId, useRef, useState } from 'preact/hooks';
import { ControlError, send } from '../../lib/api.js';
import { listFields, type SchemaField, singularOf } from '../../lib/collections.js';
import { toPrettyJson } from '../../lib/format.js';
import { navigate, pathOf } from '../../lib/location.js';
import type { Row } from '../../lib/types.js';
import { Button, ErrorMessage, Panel } from '../../ui/elements.js';
import { useSubmission } from '../../ui/form.js';
import { JsonEditor } from '../../ui/json-editor.js';
import { toast } from '../../ui/toast.js';
import { type LocatedProblem, locateProblems, parseRecord } from './json-problems.js';
import { nameOf } from './views.js';

/** Fields of a row that follow from the others, or that cannot change. */
const DERIVED: readonly string[] = ['id', 'userId', 'valId'];
/** Texts of several lines, which a fixture can have as a list of lines. */
const TEXTS: readonly string[] = ['code', 'readme', 'comment'];

/** Makes the text to edit of a record: in fixture format, without the fields that follow from others. */
function toEditedText(row: Row): string {
  const fields = Object.entries(row).filter(([name]) => !DERIVED.includes(name));
  const shown = fields.map(([name, value]) =>
    TEXTS.includes(name) && typeof value === 'string' && value.includes('\n')
      ? [name, value.split('\n')]
      : [name, value],
  );
  return toPrettyJson(Object.fromEntries(shown));
}

interface Draft {
  /** The text of the record when the edit began. */
  readonly original: string;
  readonly text: string;
}

/** Texts that were neither saved nor cancelled, by record: a link that leaves the page loses nothing. */
const drafts = new Map<string, Draft>();

interface RecordEditorProps {
  readonly collection: string;
  readonly record: Row;
  readonly onClose: () => void;
}

/** A record as JSON, which the emulator validates when it is saved. */
export function RecordEditor({ collection, record, onClose }: RecordEditorProps) {
  const draft = drafts.get(record.id);
  const original = useRef(draft?.original ?? toEditedText(record));
  const [text, setText] = useState(draft?.text ?? original.current);
  const close = () => {
    drafts.delete(record.id);
    onClose();
  };
  const [problems, setProblems] = useState<readonly LocatedProblem[]>([]);
  const [selected, setSelected] = useState<LocatedProblem | undefined>(undefined);
  const messagesId = useId();
  const fields = listFields(collection).filter(({ name }) => name !== 'id');
  const showProblems = (found: readonly LocatedProblem[]) => {
    setProblems(found);
    setSelected(found[0]);
  };
  const { isBusy, error, run } = useSubmission();
  const save = async () => {
    setProblems([]);
    const value = await parseRecord(text);
    if (isProblem(value)) return showProblems([value]);
    try {
      const row = await send<Row>('PUT', `/records${pathOf(collection, record.id)}`, value);
      toast(`Saved the ${singularOf(collection)}.`);
      close();
      if (row.id !== record.id) navigate(pathOf('data', collection, row.id));
    } catch (reason) {
      const found = reason instanceof ControlError ? await locateProblems(text, reason.problems) : [];
      if (found.length === 0) throw reason;
      showProblems(found);
    }
  };
  const submit = () => {
    if (!isBusy) void run(save);
  };
  const isOutdated = toEditedText(record) !== original.current;
  return (
    <div class="record-editor">
      <Panel
        title="Edit as JSON"
        actions={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button kind="primary" disabled={isBusy || text === original.current} onClick={submit}>
              Save
            </Button>
          </>
        }
      >
        {isOutdated && (
          <p class="note" role="status">
            This {singularOf(collection)} has changed since you began. Saving writes your text over it.
          </p>
        )}
        <JsonEditor
          label={`${nameOf(collection, record)} as JSON`}
          value={text}
          marks={problems}
          onInput={(next) => {
            setText(next);
            drafts.set(record.id, { original: original.current, text: next });
            setProblems([]);
          }}
          onSubmit={submit}
          selected={selected}
          describedBy={messagesId}
        />
        <div id={messagesId} class="editor-problems" role="alert">
          {error && <ErrorMessage error={error} />}
          {problems.length > 0 && (
            <ul>
              {problems.map((problem) => (
                <li key={`${problem.path} ${problem.message}`}>
                  <button type="button" onClick={() => setSelected({ ...problem })}>
                    Line {problem.line}
                  </button>{' '}
                  {problem.path !== '' && <code>{problem.path}</code>} {problem.message}
                </li>
              ))}
            </ul>
          )}
        </div>
      </Panel>
      <Panel title="Fields" class="schema">
        <SchemaFields fields={fields} />
      </Panel>
    </div>
  );
}

const isProblem = (value: Readonly<Record<string, unknown>> | LocatedProblem): value is LocatedProblem =>
  'offset' in value && 'message' in value && 'line' in value && 'length' in value;

/** What a record of the collection can have. */
const SchemaFields = ({ fields }: { readonly fields: readonly SchemaField[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
  <section class="schema-fields" tabIndex={0} aria-label="Descriptions of the fields">
    <dl>
      {fields.map(({ name, type, description, isRequired }) => (
        <div key={name}>
          <dt>
            <code>{name}</code> <span class="muted">{type}</span>
            {isRequired && <span class="required"> required</span>}
          </dt>
          <dd>{description}</dd>
        </div>
      ))}
    </dl>
  </section>
);
