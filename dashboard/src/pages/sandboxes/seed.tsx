import { useState } from 'preact/hooks';
import { control } from '../../lib/api.js';
import { formatNumber } from '../../lib/format.js';
import { commits, faults, requests } from '../../lib/live.js';
import { ConfirmDialog } from '../../ui/confirm.js';
import { Button, Panel } from '../../ui/elements.js';
import { Form, SelectField, TextField, useSubmission } from '../../ui/form.js';
import { DATASETS } from './datasets.js';

/** Resets this sandbox, or loads other seed data. */
export function SeedPanel() {
  const [isResetting, setResetting] = useState(false);
  return (
    <Panel
      title="Seed data"
      actions={
        <Button kind="danger" icon="rewind" onClick={() => setResetting(true)}>
          Reset
        </Button>
      }
    >
      <div class="panel-body seeds">
        <DatasetForm />
        <GenerateForm />
      </div>
      {isResetting && (
        <ConfirmDialog
          title="Reset this sandbox"
          button="Reset"
          done="Reset the sandbox to its seed data."
          onClose={() => setResetting(false)}
          action={() => control.reset({ confirm: true })}
        >
          <p>The sandbox goes back to its seed data.</p>
          <Losses />
        </ConfirmDialog>
      )}
    </Panel>
  );
}

const count = (number: number, name: string): string => `${formatNumber(number)} ${name}${number === 1 ? '' : 's'}`;

/** What a reset or other seed data take away. */
const Losses = () => (
  <p>
    Lost are all changes of records, {count(commits.value.length, 'commit')} of the history,{' '}
    {count(requests.value.length, 'recorded request')}, {count(faults.value.length, 'armed fault')}, the time of the
    clock and the counts of the rate limit. Snapshots stay.
  </p>
);

function DatasetForm() {
  const [name, setName] = useState('default');
  const [isAsked, setAsked] = useState(false);
  const submission = useSubmission(['fixtures']);
  return (
    <>
      <Form
        label="Load a built-in dataset"
        submission={submission}
        button="Load"
        inline
        onSubmit={() => setAsked(true)}
      >
        <SelectField
          label="Built-in dataset"
          value={name}
          onSelect={setName}
          options={DATASETS.map((dataset) => ({ value: dataset.name, title: dataset.name }))}
          error={submission.errorAt('fixtures')}
        />
      </Form>
      <p class="muted">{DATASETS.find((dataset) => dataset.name === name)?.content}</p>
      {isAsked && (
        <ConfirmDialog
          title={`Load ${name}`}
          button="Load"
          onClose={() => setAsked(false)}
          action={() =>
            submission.run(() => control.reseed({ fixtures: name }, { query: { confirm: true } }), `Loaded ${name}.`)
          }
        >
          <p>This dataset replaces all records of this sandbox. A later reset goes back to it.</p>
          <Losses />
        </ConfirmDialog>
      )}
    </>
  );
}

const SIZES = [
  { key: 'users', title: 'Users', placeholder: '20', hint: 'At most 1,000' },
  { key: 'vals', title: 'Vals', placeholder: '10 per user', hint: 'At most 10,000' },
  { key: 'runs', title: 'Runs', placeholder: '20 per val', hint: 'At most 200,000' },
  { key: 'days', title: 'Days', placeholder: '30', hint: 'Span of the runs' },
  { key: 'seed', title: 'Seed', placeholder: '1', hint: 'Another seed, other data' },
] as const;

function GenerateForm() {
  const [sizes, setSizes] = useState<Readonly<Record<string, string>>>({});
  const [isAsked, setAsked] = useState(false);
  const submission = useSubmission();
  const generate = Object.fromEntries(
    Object.entries(sizes).flatMap(([key, text]) => {
      const number = Number(text);
      return text.trim() === '' ? [] : [[key, Number.isNaN(number) ? text : number]];
    }),
  );
  // The emulator fills in what is absent, and checks the rest.
  const seed: object = { generate };
  return (
    <>
      <Form label="Generate a dataset" submission={submission} button="Generate" onSubmit={() => setAsked(true)}>
        <div class="fields">
          {SIZES.map(({ key, title, placeholder, hint }) => (
            <TextField
              key={key}
              label={title}
              value={sizes[key] ?? ''}
              onInput={(text) => setSizes({ ...sizes, [key]: text })}
              placeholder={placeholder}
              hint={hint}
            />
          ))}
        </div>
      </Form>
      {isAsked && (
        <ConfirmDialog
          title="Generate a dataset"
          button="Generate"
          onClose={() => setAsked(false)}
          action={() =>
            submission.run(() => control.reseed(seed, { query: { confirm: true } }), 'Generated a dataset.')
          }
        >
          <p>
            Generated data replace all records of this sandbox. A later reset goes back to them. Large data take some
            seconds.
          </p>
          <Losses />
        </ConfirmDialog>
      )}
    </>
  );
}
