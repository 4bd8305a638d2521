import { useRef, useState } from 'preact/hooks';
import { ControlError, parseBody, send } from '../../lib/api.js';
import { listFields, type SchemaField, singularOf } from '../../lib/collections.js';
import { dropDraft, keepDraft, readDraft } from '../../lib/drafts.js';
import { toPrettyJson } from '../../lib/format.js';
import { navigate, pathOf } from '../../lib/location.js';
import { useLast, useResource } from '../../lib/resource.js';
import type { Row } from '../../lib/types.js';
import { Loading } from '../../ui/commit.js';
import { Editor } from '../../ui/editor.js';
import type { EditorLanguage } from '../../ui/editor-props.js';
import { Button, ErrorMessage, Panel, Tabs } from '../../ui/elements.js';
import { useSubmission } from '../../ui/form.js';
import { toast } from '../../ui/toast.js';
import { type LocatedProblem, locateProblems, parseRecord } from './json-problems.js';
import { nameOf, viewOf } from './views.js';

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

const draftKey = (id: string): string => `record ${id}`;

export const hasDraft = (id: string): boolean => readDraft(draftKey(id)) !== undefined;

function findDraft(id: string): Draft | undefined {
  const [original, text]: readonly unknown[] = JSON.parse(readDraft(draftKey(id)) ?? '[]');
  return typeof original === 'string' && typeof text === 'string' ? { original, text } : undefined;
}

interface RecordEditorProps {
  readonly collection: string;
  readonly record: Row;
  readonly onClose: () => void;
}

/** Edits a record, with its content if that is a text. */
export function RecordEditor({ collection, record, onClose }: RecordEditorProps) {
  const path = viewOf(collection).content?.(record);
  const { data, error } = useResource<Row>(path);
  // A text that is being edited stays when another program deletes its record.
  const last = useLast(data);
  if (error && !last) return <ErrorMessage error={error} />;
  if (path !== undefined && !last) return <Loading />;
  const edited = typeof last?.text === 'string' ? { ...last, id: record.id } : record;
  return <LoadedEditor collection={collection} record={edited} onClose={onClose} />;
}

/** The fields of a text that are edited as they are: code, and texts of several lines. Undefined for a text that is not JSON. */
function listTexts(collection: string, text: string): readonly TextField[] | undefined {
  const record = parseBody(text);
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return undefined;
  const values = new Map(Object.entries(record));
  return viewOf(collection).form.flatMap(({ name, label, kind }) => {
    if (kind !== 'code' && kind !== 'lines') return [];
    const value: unknown = values.get(name);
    const lines = Array.isArray(value) && value.every((line) => typeof line === 'string') ? value.join('\n') : value;
    if (typeof lines !== 'string') return [];
    const language = kind === 'code' ? 'tsx' : typeof parseBody(lines) === 'object' ? 'json' : 'text';
    return [
      {
        name,
        label,
        value: lines,
        language,
        set: (next: string) => toPrettyJson({ ...record, [name]: TEXTS.includes(name) ? toLines(next) : next }),
      },
    ];
  });
}

interface TextField {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly language: EditorLanguage;
  /** Returns the text of the record with another value. */
  readonly set: (value: string) => string;
}

const toLines = (text: string): string | readonly string[] => (text.includes('\n') ? text.split('\n') : text);

/** A record as JSON, which the emulator validates when it is saved, and its texts as they are. */
function LoadedEditor({ collection, record, onClose }: RecordEditorProps) {
  const [draft] = useState(() => findDraft(record.id));
  const original = useRef(draft?.original ?? toEditedText(record));
  const [text, setText] = useState(draft?.text ?? original.current);
  const close = () => {
    dropDraft(draftKey(record.id));
    onClose();
  };
  const [tab, setTab] = useState('json');
  const [problems, setProblems] = useState<readonly LocatedProblem[]>([]);
  const [selected, setSelected] = useState<LocatedProblem | undefined>(undefined);
  const fields = listFields(collection).filter(({ name }) => name !== 'id');
  const showProblems = (found: readonly LocatedProblem[]) => {
    setProblems(found);
    setSelected(found[0]);
    if (found.length > 0) setTab('json');
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
  const change = (next: string) => {
    setText(next);
    keepDraft(draftKey(record.id), JSON.stringify([original.current, next]));
    setProblems([]);
  };
  const texts = listTexts(collection, text) ?? [];
  const field = texts.find(({ name }) => name === tab);
  const isOutdated = toEditedText(record) !== original.current;
  return (
    <div class="record-editor">
      <Panel
        title="Edit"
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
        {texts.length > 0 && (
          <div class="tabs-bar">
            <Tabs
              label="What to edit"
              tabs={[{ id: 'json', title: 'JSON' }, ...texts.map(({ name, label }) => ({ id: name, title: label }))]}
              selected={field?.name ?? 'json'}
              onSelect={setTab}
            />
          </div>
        )}
        {field ? (
          <Editor
            key={field.name}
            label={`${field.label} of ${nameOf(collection, record)}`}
            language={field.language}
            value={field.value}
            onInput={(value) => change(field.set(value))}
            onSubmit={submit}
          />
        ) : (
          <Editor
            label={`${nameOf(collection, record)} as JSON`}
            language="json"
            value={text}
            marks={problems}
            onInput={change}
            onSubmit={submit}
            selected={selected}
          />
        )}
        <div class="editor-problems" role="alert">
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
