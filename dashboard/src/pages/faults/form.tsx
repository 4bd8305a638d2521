import type { ComponentProps } from 'preact';
import { useId, useState } from 'preact/hooks';
import { control } from '../../lib/api.js';
import { place } from '../../lib/location.js';
import { useOperations } from '../../lib/operations.js';
import { nameOfUser, useUsers } from '../../lib/users.js';
import { Code } from '../../ui/code.js';
import { Button, Panel } from '../../ui/elements.js';
import { Form, type Option, SelectField, TextField, useSubmission } from '../../ui/form.js';
import {
  EFFECTS,
  type EffectKind,
  EMPTY_DRAFT,
  type FaultDraft,
  findKind,
  isEffectKind,
  REQUEST_FIELDS,
  readDraft,
  TEMPLATES,
  toFailCall,
  toFaultInput,
  toKind,
} from './draft.js';

const METHODS: readonly Option[] = [
  { value: '', title: 'Any method' },
  ...['GET', 'POST', 'PUT', 'DELETE'].map((method) => ({ value: method, title: method })),
];

/** Users that are suggested. */
const MAX_SUGGESTED = 200;

/** Arms a fault: a template fills the fields, and each can be changed. */
export function FaultForm({
  isOpen,
  onOpen,
}: {
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}) {
  const [draft, setDraft] = useState(() => readDraft(place.value.query));
  const [kind, setKind] = useState<EffectKind>(() => findKind(draft));
  const submission = useSubmission([...REQUEST_FIELDS, ...EFFECTS[kind].fields]);
  const change = (fields: Partial<FaultDraft>) => setDraft((last) => ({ ...last, ...fields }));
  const arm = async () => {
    const isArmed = await submission.run(() => control.armFault(toFaultInput(draft)), 'Armed the fault.');
    if (!isArmed) return;
    setDraft(EMPTY_DRAFT);
    onOpen(false);
  };
  const close = () => {
    submission.clear();
    setDraft(EMPTY_DRAFT);
    onOpen(false);
  };
  return (
    <Panel
      title="Arm a fault"
      actions={
        !isOpen && (
          <Button
            icon="add"
            onClick={() => {
              setKind('error');
              onOpen(true);
            }}
          >
            From scratch
          </Button>
        )
      }
    >
      {isOpen ? (
        <div class="panel-body fault-form">
          <Form
            label="Arm a fault"
            submission={submission}
            button="Arm"
            icon="faults"
            kind="primary"
            onSubmit={() => void arm()}
            more={<Button onClick={close}>Cancel</Button>}
          >
            <RequestFields draft={draft} onChange={change} errorAt={submission.errorAt} />
            <SelectField
              label="What they get"
              value={kind}
              options={Object.entries(EFFECTS).map(([value, { title }]) => ({ value, title }))}
              onSelect={(next) => {
                if (!isEffectKind(next)) return;
                setKind(next);
                setDraft((last) => toKind(last, next));
              }}
            />
            <EffectFields kind={kind} draft={draft} onChange={change} errorAt={submission.errorAt} />
            <Code text={toFailCall(toFaultInput(draft))} />
          </Form>
        </div>
      ) : (
        <ul class="templates">
          {TEMPLATES.map(({ title, hint, fields }) => (
            <li key={title}>
              <button
                type="button"
                class="template"
                onClick={() => {
                  submission.clear();
                  const { route, method, user } = draft;
                  const next = { ...EMPTY_DRAFT, route, method, user, ...fields };
                  setDraft(next);
                  setKind(findKind(next));
                  onOpen(true);
                }}
              >
                <b>{title}</b>
                <span class="muted">{hint}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

interface FieldsProps {
  readonly draft: FaultDraft;
  readonly onChange: (fields: Partial<FaultDraft>) => void;
  readonly errorAt: (field: string) => string | undefined;
}

/** A text of the form. */
const DraftField = ({
  name,
  draft,
  onChange,
  errorAt,
  ...field
}: FieldsProps & { readonly name: keyof Omit<FaultDraft, 'reset'> } & Omit<
    ComponentProps<typeof TextField>,
    'value' | 'onInput' | 'error'
  >) => (
  <TextField {...field} value={draft[name]} onInput={(value) => onChange({ [name]: value })} error={errorAt(name)} />
);

/** Which requests get the fault. */
function RequestFields(form: FieldsProps) {
  const { draft, onChange, errorAt } = form;
  const users = useUsers().data ?? [];
  const routes = (useOperations() ?? []).map(({ route }) => route);
  const [hasMore] = useState(() => [draft.after, draft.rate, draft.match].some((value) => value !== ''));
  return (
    <fieldset class="fault-fields">
      <legend>Which requests</legend>
      <div class="fields fault-requests">
        <SelectField
          label="Route"
          value={draft.route}
          options={[{ value: '*', title: 'Any route (*)' }, ...routes.map((value) => ({ value, title: value }))]}
          onSelect={(route) => onChange({ route })}
          error={errorAt('route')}
        />
        {draft.route === '*' && (
          <SelectField
            label="Method"
            value={draft.method}
            options={METHODS}
            onSelect={(method) => onChange({ method })}
            error={errorAt('method')}
          />
        )}
        <DraftField
          {...form}
          label="User"
          name="user"
          placeholder="Any user"
          list={users.slice(0, MAX_SUGGESTED).map(nameOfUser)}
        />
        <DraftField {...form} label="Times" name="times" placeholder="All" hint="Requests that get it" />
      </div>
      <details open={hasMore}>
        <summary>More conditions</summary>
        <div class="fields">
          <DraftField {...form} label="After" name="after" placeholder="0" hint="Requests to let pass first" />
          <DraftField {...form} label="Rate" name="rate" placeholder="1" hint="0.1 for one in ten" />
          {draft.rate !== '' && (
            <DraftField {...form} label="Seed" name="seed" placeholder="0" hint="Chooses the requests of a rate" />
          )}
        </div>
        <DraftField
          {...form}
          label="Match"
          name="match"
          placeholder={'{ "body": { "name": "report" } }'}
          hint="Only requests that send this: JSON with body, headers, query or params"
          rows={2}
          mono
        />
      </details>
    </fieldset>
  );
}

/** What a request with the fault gets: the fields of a kind. */
function EffectFields({ kind, ...form }: FieldsProps & { readonly kind: EffectKind }) {
  const { draft, onChange, errorAt } = form;
  const id = useId();
  const has = (name: keyof FaultDraft) => EFFECTS[kind].fields.some((other) => other === name);
  return (
    <>
      <div class="fields">
        {has('status') && (
          <DraftField
            {...form}
            label="Status"
            name="status"
            placeholder={draft.delay === '' && draft.truncate === '' && !draft.reset ? '500' : 'The true response'}
          />
        )}
        {has('delay') && (
          <DraftField {...form} label="Delay" name="delay" placeholder="None" hint="Milliseconds: 2000, or 100-300" />
        )}
        {has('truncate') && (
          <DraftField {...form} label="Cut off after" name="truncate" placeholder="Not" hint="Bytes of the body" />
        )}
        {kind === 'several' && (
          <label class="check-field" for={id}>
            <input
              id={id}
              type="checkbox"
              checked={draft.reset}
              onChange={({ currentTarget }) => onChange({ reset: currentTarget.checked })}
            />
            Reset it
          </label>
        )}
      </div>
      {errorAt('reset') !== undefined && (
        <p class="field-error" role="alert">
          {errorAt('reset')}
        </p>
      )}
      {has('headers') && (
        <div class="fault-texts">
          <DraftField
            {...form}
            label="Headers"
            name="headers"
            placeholder="Retry-After: 1"
            hint="One a line, added or replaced"
            rows={2}
            mono
          />
          <DraftField
            {...form}
            label="Body"
            name="body"
            placeholder="The error body of the API"
            hint="JSON, or a text"
            rows={2}
            mono
          />
        </div>
      )}
    </>
  );
}
