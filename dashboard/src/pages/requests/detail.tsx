import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { findTool, readArguments } from '../../../../src/engine/api/tool-route.js';
import { isError } from '../../../../src/engine/lib/reasons.js';
import { base } from '../../lib/api.js';
import { formatDuration, formatTime, numberOf } from '../../lib/format.js';
import { commits, requests } from '../../lib/live.js';
import { at, navigate, pathOf, travelTo } from '../../lib/location.js';
import { useResource } from '../../lib/resource.js';
import { toCurl } from '../../lib/snippets.js';
import type { RequestRecord as JournalRecord, RequestSummary } from '../../lib/types.js';
import { Code, Json } from '../../ui/code.js';
import { CommitChanges, Counts, Loading, RewindDialog } from '../../ui/commit.js';
import {
  ActionButton,
  Badge,
  Button,
  CopyButton,
  Empty,
  ErrorMessage,
  Link,
  MethodBadge,
  Properties,
  StatusBadge,
  Tabs,
} from '../../ui/elements.js';
import { Menu } from '../../ui/menu.js';
import { type Moment, stateAfter, stateBefore } from '../../ui/travel.js';
import { BreakButtons } from './break.js';
import { Comparison } from './compare.js';
import { hasWholeBody, toApiRequest, toExpectation, toFail, toFetch } from './copy-as.js';
import { readPlace } from './filters.js';
import { describeMissing, isWrite } from './query.js';
import { ReplayDialog } from './replay.js';
import { sendAgain, sendInFork } from './resend.js';
import { TestDialog } from './test-dialog.js';
import { Why } from './why.js';

type Entry = JournalRecord & RequestSummary;

type Tab = 'why' | 'changes' | 'request' | 'response' | 'compare';
/** The tab that the reader has chosen; it stays for the next request. */
const chosenTab = signal<Tab | undefined>(undefined);

export function RequestDetail({ id }: { readonly id: string }) {
  const { data, error, reload } = useResource<Entry>(pathOf('requests', id), 'lists');
  // It may have been read before the response ended, or before the request was received: an address may name a later one.
  const newest = requests.value.find((each) => each.id === id);
  useEffect(reload, [newest?.time]);
  const close = () => navigate('/requests', readPlace());
  return (
    <section class="request-detail" aria-label={`Request ${id}`}>
      {data ? (
        <Detail entry={{ ...data, ...newest }} onClose={close} />
      ) : (
        <>
          <header class="detail-top">
            <h2 class="mono">{id}</h2>
            <Button icon="close" kind="plain" label="Close" onClick={close} />
          </header>
          <div class="detail-body">
            {error === undefined && <Loading />}
            {error?.status === 404 && (
              <Empty title={`The journal has no request ${id}`}>
                <p>It keeps the last 1,000 requests since the last reset.</p>
              </Empty>
            )}
            {error && error.status !== 404 && <ErrorMessage error={error} />}
          </div>
        </>
      )}
    </section>
  );
}

function Detail({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }) {
  const { id, method, path, status, message, user, time, duration, delay, outcome, route, reason } = entry;
  const wrote = isWrite(entry);
  const failed = isError(entry);
  const previous = requests.value.findLast(
    (other) => numberOf(other.id) < numberOf(id) && other.method === method && other.path === path,
  );
  const tabs: readonly { readonly id: Tab; readonly title: string }[] = [
    ...(failed ? [{ id: 'why' as const, title: 'Why' }] : []),
    ...(wrote ? [{ id: 'changes' as const, title: 'Changes' }] : []),
    { id: 'request', title: 'Request' },
    { id: 'response', title: 'Response' },
    ...(previous ? [{ id: 'compare' as const, title: 'Compare' }] : []),
  ];
  const fallback = failed ? 'why' : wrote ? 'changes' : 'response';
  const chosen = chosenTab.value;
  const tab = tabs.find((each) => each.id === chosen)?.id ?? fallback;
  return (
    <>
      <header class="detail-top">
        <h2 class="detail-title">
          <StatusBadge status={status} message={message} isAborted={outcome === 'aborted'} />
          <MethodBadge method={findTool(route) === undefined ? method : 'tool'} />
          <span class="mono">{findTool(route) ?? path}</span>
        </h2>
        <Button icon="close" kind="plain" label="Close" onClick={onClose} />
      </header>
      <div class="detail-body">
        <ul class="detail-facts muted">
          <li class="mono">{id}</li>
          <li>{user === null ? 'no user' : <>by {user}</>}</li>
          <li>{formatTime(time)}</li>
          <li>
            {formatDuration(duration)}
            {delay > 0 &&
              (delay > (duration ?? 0)
                ? `, within a delay of ${formatDuration(delay)} by a fault`
                : `, of which ${formatDuration(delay)} is the delay of a fault`)}
          </li>
          {outcome !== null && outcome !== 'sent' && (
            <li>
              <Badge kind="warn">{OUTCOMES[outcome]}</Badge>
            </li>
          )}
          {route === null ? (
            <li>
              <Badge kind="warn">{describeMissing(entry)}</Badge>
            </li>
          ) : (
            <li class="mono">{route}</li>
          )}
          {reason !== null && tab !== 'why' && (
            <li>
              <Badge kind="warn">{reason}</Badge>
            </li>
          )}
        </ul>
        <Actions key={id} entry={entry} />
        <Tabs
          label="Parts of the request"
          tabs={tabs}
          selected={tab}
          onSelect={(next) => {
            chosenTab.value = next;
          }}
        />
        {tab === 'changes' && <ChangesTab entry={entry} />}
        {tab === 'request' && <RequestTab entry={entry} />}
        {tab === 'response' && <ResponseTab entry={entry} />}
        {tab === 'why' && <Why entry={entry} />}
        {tab === 'compare' && previous && <CompareTab entry={entry} previous={previous.id} />}
      </div>
    </>
  );
}

const OUTCOMES = {
  aborted: 'the client left before the end',
  reset: 'connection reset',
  truncated: 'body cut by a fault',
} as const;

type DialogName = 'rewind' | 'test' | 'replay';

function Actions({ entry }: { readonly entry: Entry }) {
  const { id, route } = entry;
  const [dialog, setDialog] = useState<DialogName | undefined>(undefined);
  const before = isWrite(entry) ? stateBefore(id) : undefined;
  // A request that wrote is sent again to the state that it found; another one to the state that it read.
  const found = isWrite(entry) ? before : stateAfter(entry);
  const isNow = at.value === undefined;
  const isWhole = hasWholeBody(entry);
  const canRewind = before?.at !== undefined;
  const canSend = isNow && isWhole;
  const sendButton = (
    <ActionButton icon="send" action={() => sendAgain(entry)}>
      Send again
    </ActionButton>
  );
  return (
    <div class="detail-actions">
      <div class="actions">
        {canRewind && (
          <Button icon="rewind" onClick={() => setDialog('rewind')}>
            Rewind to before it
          </Button>
        )}
        {canSend && !canRewind && sendButton}
        <Menu>
          {canSend && canRewind && sendButton}
          {found && isWhole && (
            <ActionButton icon="fork" action={() => sendInFork(entry, found.at)}>
              Send again in a fork
            </ActionButton>
          )}
          {isWhole && (
            <Button icon="send" onClick={() => setDialog('replay')}>
              Send again elsewhere
            </Button>
          )}
          {!isWrite(entry) && found && (
            <Button icon="time" onClick={() => travelTo(found.at)}>
              See all pages as of this request
            </Button>
          )}
          {isNow && route !== null && (
            <Button icon="faults" onClick={() => navigate('/faults', toFaultQuery(entry))}>
              Arm a fault like this
            </Button>
          )}
          <Button icon="check" onClick={() => setDialog('test')}>
            Turn into a test
          </Button>
        </Menu>
        {isNow && route !== null && (
          <Menu label="Break">
            <BreakButtons request={entry} />
          </Menu>
        )}
        <Menu label="Copy as">
          <CopyButton label="Copy as curl" text={() => toCurl(toApiRequest(entry), base)}>
            curl
          </CopyButton>
          <CopyButton label="Copy as fetch" text={() => toFetch(entry, base)}>
            fetch
          </CopyButton>
          {route !== null && (
            <>
              <CopyButton label="Copy as expectRequest" text={() => toExpectation(entry)}>
                expectRequest
              </CopyButton>
              <CopyButton label="Copy as fail" text={() => toFail(entry)}>
                fail
              </CopyButton>
            </>
          )}
        </Menu>
      </div>
      {!isWhole && <p class="muted">The journal has only a part of the body, so it cannot be sent again.</p>}
      {!isNow && <p class="muted">Go back to now to send it again here or to arm a fault.</p>}
      {dialog === 'replay' && <ReplayDialog ids={[id]} onClose={() => setDialog(undefined)} />}
      {dialog === 'test' && <TestDialog ids={[id]} onClose={() => setDialog(undefined)} />}
      {dialog === 'rewind' && before?.at !== undefined && (
        <RewindDialog at={before.at} onClose={() => setDialog(undefined)} />
      )}
    </div>
  );
}

/** The fields of a fault that gives such requests the same response, or an error in place of a success. */
const toFaultQuery = ({ route, user, status }: Entry) => ({
  ...{ route: route ?? '*', user: user ?? '', times: 1 },
  ...(status === 0 ? { reset: 1 } : { status: status >= 400 ? status : 503 }),
});

/** A titled part of a tab. */
const Part = ({ title, children }: { readonly title: ComponentChildren; readonly children: ComponentChildren }) => (
  <section class="detail-part">
    <h3>{title}</h3>
    {children}
  </section>
);

/** Shows a state of the history on all pages. */
function TravelButton({ moment, children }: { readonly moment: Moment; readonly children: ComponentChildren }) {
  const isShown = at.value === moment.at;
  return (
    <Button icon="time" pressed={isShown} onClick={() => travelTo(moment.at)}>
      {children}
    </Button>
  );
}

function ChangesTab({ entry }: { readonly entry: Entry }) {
  const { id } = entry;
  const after = stateAfter(entry);
  const before = stateBefore(id);
  const counts = commits.value.find((each) => each.id === id)?.counts;
  return (
    <div class="stack">
      {before && after && (
        <div class="change-actions">
          {counts && <Counts counts={counts} />}
          <div class="actions">
            <TravelButton moment={before}>State before</TravelButton>
            <TravelButton moment={after}>State after</TravelButton>
          </div>
        </div>
      )}
      <section class="panel" aria-label="Changed records">
        <CommitChanges id={id} />
      </section>
    </div>
  );
}

/** What differs from the previous request with the same method and path. */
function CompareTab({ entry, previous }: { readonly entry: Entry; readonly previous: string }) {
  const { data } = useResource<Entry>(pathOf('requests', previous), 'lists');
  if (!data) return <Loading />;
  return (
    <div class="stack">
      <p>
        The previous request with this method and path is{' '}
        <Link to={pathOf('requests', previous)} class="mono">
          {previous}
        </Link>
        . To compare any two, check them in the list.
      </p>
      <Comparison before={data} after={entry} />
    </div>
  );
}

/** Values as a table of names; nothing if there are none. */
const Values = ({ title, values }: { readonly title: string; readonly values: Readonly<Record<string, unknown>> }) =>
  Object.keys(values).length === 0 ? null : (
    <Part title={title}>
      <Properties
        items={Object.fromEntries(
          Object.entries(values).map(([name, value]) => [
            name,
            <span key={name} class="mono">
              {Array.isArray(value) ? value.join(', ') : String(value)}
            </span>,
          ]),
        )}
      />
    </Part>
  );

const RequestTab = ({ entry: { route, params, query, request } }: { readonly entry: Entry }) => (
  <div class="stack">
    {findTool(route) !== undefined && (
      <Part title="Arguments">
        <Json value={readArguments(request.body)} />
      </Part>
    )}
    <Values title="Path parameters" values={params} />
    <Values title="Query" values={query} />
    <Part title="Body">
      {request.body === null ? <p class="muted">It has no body.</p> : <Json value={request.body} />}
    </Part>
    <Values title="Headers" values={request.headers} />
  </div>
);

const ResponseTab = ({ entry: { status, fault, error, response } }: { readonly entry: Entry }) => (
  <div class="stack">
    {status === 0 && (
      <p>The connection was reset without a response{fault === null ? '' : `, as the fault ${fault} says`}.</p>
    )}
    {error !== null && (
      <Part title="Internal error of the emulator">
        <Code language="text" text={error} />
      </Part>
    )}
    <Values title="Headers" values={response.headers} />
    <Part title="Body">
      {response.body === null ? <p class="muted">It has no body.</p> : <Json value={response.body} />}
    </Part>
  </div>
);
