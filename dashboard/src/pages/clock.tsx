import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { control, withQuery } from '../lib/api.js';
import { formatClock, formatDate, formatSpan } from '../lib/format.js';
import { clock, sandboxTime } from '../lib/live.js';
import { at } from '../lib/location.js';
import { useResource } from '../lib/resource.js';
import { useTicks } from '../lib/ticks.js';
import type { Summary } from '../lib/types.js';
import { ActionButton, Badge, Button, ErrorMessage, Page, Panel } from '../ui/elements.js';
import { Form, TextField, useSubmission } from '../ui/form.js';
import { PastNote } from '../ui/past.js';

const change = (body: Readonly<Record<string, unknown>>): Promise<unknown> => control.changeClock(body);

export const ClockPage = () => (
  <Page title="Clock" subtitle="The time of this sandbox. Move it, and nothing has to wait.">
    {at.value === undefined ? <CurrentClock /> : <PastClock />}
    <Effects />
  </Page>
);

function PastClock() {
  const { data, error } = useResource<Summary>(withQuery('/summary', { at: at.value }));
  return (
    <>
      <PastNote>This is the clock as of then. Change it in the current state.</PastNote>
      {error && <ErrorMessage error={error} />}
      {data && (
        <Panel>
          <Face time={Date.parse(data.now)} isFrozen={data.frozen} />
        </Panel>
      )}
    </>
  );
}

function CurrentClock() {
  const status = clock.value;
  if (!status) return null;
  return (
    <>
      <Panel>
        <RunningFace isFrozen={status.frozen} />
        <div class="clock-actions">
          {status.frozen ? (
            <ActionButton icon="play" kind="primary" action={() => change({ resume: true })} done="The clock runs.">
              Resume
            </ActionButton>
          ) : (
            <ActionButton
              icon="pause"
              kind="primary"
              action={() => change({ freeze: true })}
              done="Froze the clock at this time."
            >
              Freeze here
            </ActionButton>
          )}
          <Advance by="10m" title="+10 minutes" />
          <Advance by="1h" title="+1 hour" />
          <Advance by="1d" title="+1 day" />
        </div>
      </Panel>
      <div class="grid">
        <AdvanceForm />
        <TimeForm isFrozen={status.frozen} />
      </div>
    </>
  );
}

/** Time zone of the reader. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time of the sandbox and that of the system, as they go on. */
function RunningFace({ isFrozen }: { readonly isFrozen: boolean }) {
  useTicks(100);
  const time = sandboxTime();
  return <Face time={time} isFrozen={isFrozen} systemTime={Date.now()} />;
}

function Face({
  time,
  isFrozen,
  systemTime,
}: {
  readonly time: number;
  readonly isFrozen: boolean;
  readonly systemTime?: number;
}) {
  const timestamp = new Date(time).toISOString();
  const ahead = systemTime === undefined ? 0 : Math.round((time - systemTime) / 1_000) * 1_000;
  const isSame = Math.abs(ahead) < 2_000;
  return (
    <div class="clock-face">
      <p class="clock-state">
        {isFrozen ? <Badge kind="warn">Frozen</Badge> : <Badge kind="s2">Running</Badge>}
        {ZONE !== 'UTC' && <span class="muted">{ZONE}</span>}
      </p>
      <time class="clock-time" dateTime={timestamp}>
        <span>{formatDate(timestamp)}</span> <b>{formatClock(timestamp).slice(0, isFrozen ? undefined : 8)}</b>
      </time>
      <dl class="clock-others">
        <div>
          <dt>UTC</dt>
          <dd class="mono">{isFrozen ? timestamp : `${timestamp.slice(0, 19)}Z`}</dd>
        </div>
        {systemTime !== undefined && (
          <div>
            <dt>System</dt>
            <dd>
              {isSame ? (
                'The same time'
              ) : (
                <>
                  <span class="mono">{`${new Date(systemTime).toISOString().slice(0, 19)}Z`}</span>{' '}
                  <span class="muted">
                    the sandbox is {formatSpan(Math.abs(ahead))} {ahead > 0 ? 'ahead' : 'behind'}
                  </span>
                </>
              )}
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}

const Advance = ({ by, title }: { readonly by: string; readonly title: string }) => (
  <ActionButton action={() => change({ advance: by })} done={`Moved the clock by ${by}.`}>
    {title}
  </ActionButton>
);

function AdvanceForm() {
  const [duration, setDuration] = useState('');
  const submission = useSubmission();
  const by = duration.trim();
  const advance = () => submission.run(() => change({ advance: by }), `Moved the clock by ${by}.`);
  return (
    <Panel title="Move forward">
      <div class="panel-body clock-form">
        <Form
          label="Move the clock forward"
          submission={submission}
          button="Move"
          disabled={by === ''}
          onSubmit={() => void advance()}
        >
          <TextField
            label="Duration"
            value={duration}
            onInput={setDuration}
            placeholder="1d12h"
            hint="Units ms, s, m, h, d, w"
          />
        </Form>
      </div>
    </Panel>
  );
}

/** Writes a time as an input of the browser has it, in the zone of the reader. */
const toInput = (ms: number): string => {
  const timestamp = new Date(ms).toISOString();
  return `${formatDate(timestamp)}T${formatClock(timestamp)}`;
};

function TimeForm({ isFrozen }: { readonly isFrozen: boolean }) {
  const [text, setText] = useState(() => toInput(Math.floor(sandboxTime() / 1_000) * 1_000));
  const submission = useSubmission();
  const time = new Date(text);
  const isValid = !Number.isNaN(time.getTime());
  const apply = (key: 'set' | 'freeze', done: string) =>
    void submission.run(() => change({ [key]: time.toISOString() }), done);
  return (
    <Panel title="Go to a time">
      <div class="panel-body clock-form">
        <Form
          label="Go to a time"
          submission={submission}
          button={isFrozen ? 'Set' : 'Set, and run on'}
          disabled={!isValid}
          onSubmit={() => apply('set', 'Set the clock.')}
          more={
            !isFrozen && (
              <Button disabled={!isValid || submission.isBusy} onClick={() => apply('freeze', 'Froze the clock.')}>
                Freeze there
              </Button>
            )
          }
        >
          <TextField
            label="Time"
            type="datetime-local"
            value={text}
            onInput={setText}
            hint={isValid ? time.toISOString() : 'A date and a time'}
          />
        </Form>
      </div>
    </Panel>
  );
}

const Effects = () => (
  <Panel title="What runs by this clock">
    <dl class="panel-body effects">
      <Effect name="Timestamps">The times of new records, and of recorded requests and commits.</Effect>
      <Effect name="The header Date">Of every response of the API.</Effect>
      <Effect name="Windows of the rate limit">
        They never end on a frozen clock. Moving the clock forward ends them at once.
      </Effect>
      <Effect name="Relative times">
        Records that are added with <code>-10m</code> count from the time of this clock.
      </Effect>
    </dl>
    <p class="panel-note muted">
      Moving the clock changes no record and delays no request. Faults with a delay wait by the clock of the system.
    </p>
  </Panel>
);

const Effect = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd class="muted">{children}</dd>
  </div>
);
