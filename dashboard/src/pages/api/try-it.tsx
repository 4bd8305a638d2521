import { useState } from 'preact/hooks';
import { type ApiRequest, type ApiResponse, base, findSent, parseBody, sendToApi } from '../../lib/api.js';
import { formatDuration, formatNumber, toPrettyJson } from '../../lib/format.js';
import { at, pathOf } from '../../lib/location.js';
import type { Operation, Parameter } from '../../lib/openapi.js';
import { useResource } from '../../lib/resource.js';
import { toCurl } from '../../lib/snippets.js';
import type { CommitDetail, EmulatorUser, RequestRecord } from '../../lib/types.js';
import { callerId, findCaller, nameOfUser, useUsers } from '../../lib/users.js';
import { Json } from '../../ui/code.js';
import { ChangeView } from '../../ui/diff.js';
import { Badge, CopyButton, Link, Panel, StatusBadge } from '../../ui/elements.js';
import { Form, SelectField, TextField, useSubmission } from '../../ui/form.js';
import { PastNote } from '../../ui/past.js';

/** Changes of records that are shown here; the page of the request has all. */
const MAX_CHANGES = 5;
/** Users in the list; others by their id on the overview. */
const MAX_USERS = 500;

interface Sent {
  readonly response: ApiResponse;
  /** Undefined if the journal does not have it. */
  readonly recorded: RequestRecord | undefined;
}

const toText = (value: unknown): string =>
  value === undefined ? '' : Array.isArray(value) ? value.join(',') : String(value);

/** The path with its parameters and query. Parameters of the query that are empty are left out. */
function fillPath(path: string, parameters: readonly Parameter[], values: Readonly<Record<string, string>>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = parameters.flatMap(({ name, in: place }) => {
    const value = values[name] ?? '';
    return place === 'query' && value !== '' ? [[name, value]] : [];
  });
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`;
}

interface TryItProps {
  readonly operation: Operation;
  /** Whether it is part of the control API, which has no users. */
  readonly isControl: boolean;
  readonly isTokenOptional: boolean;
}

/** Sends the operation to this sandbox as a user. */
export function TryIt({ operation, isControl, isTokenOptional }: TryItProps) {
  const { method, path, parameters = [], requestBody } = operation;
  const users = useUsers().data ?? [];
  const example = requestBody?.content['application/json']?.example;
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(parameters.map((parameter) => [parameter.name, toText(parameter.example)])),
  );
  const [body, setBody] = useState(() => (requestBody ? toPrettyJson(example ?? {}) : ''));
  const [sent, setSent] = useState<Sent | undefined>(undefined);
  const submission = useSubmission();
  const caller = isControl ? undefined : findCaller(users);
  const request: ApiRequest = {
    method,
    path: fillPath(path, parameters, values),
    headers: {
      ...(caller ? { Authorization: `Bearer ${caller.token}` } : {}),
      ...(requestBody ? { 'Content-Type': 'application/json' } : {}),
    },
    body: requestBody ? body : undefined,
  };
  const sendIt = () =>
    submission.run(async () => {
      const response = await sendToApi(request);
      setSent({ response, recorded: isControl ? undefined : await findSent(response) });
    });
  if (at.value !== undefined) {
    return <PastNote>Requests are sent to the current state.</PastNote>;
  }
  return (
    <Panel
      title="Try it"
      actions={
        <CopyButton text={() => toCurl(request, base)} label="Copy as curl">
          curl
        </CopyButton>
      }
    >
      <div class="panel-body stack try-form">
        <Form
          label="Send a request"
          submission={submission}
          button="Send"
          icon="send"
          kind="primary"
          onSubmit={() => void sendIt()}
        >
          <div class="fields">
            {!isControl && <UserField users={users} caller={caller} isTokenOptional={isTokenOptional} />}
            {parameters.map((parameter) => (
              <TextField
                key={parameter.name}
                label={parameter.name}
                value={values[parameter.name] ?? ''}
                onInput={(value) => setValues({ ...values, [parameter.name]: value })}
                placeholder={toText(parameter.schema?.default)}
                required={parameter.required === true}
                hint={parameter.required ? 'Required' : undefined}
              />
            ))}
          </div>
          {requestBody && <TextField label="Body" value={body} onInput={setBody} rows={6} mono />}
          <p class="try-url">
            <code>
              {method} {request.path}
            </code>
          </p>
        </Form>
        {sent && <Response key={sent.response.trace} sent={sent} />}
      </div>
    </Panel>
  );
}

const UserField = ({
  users,
  caller,
  isTokenOptional,
}: {
  readonly users: readonly EmulatorUser[];
  readonly caller: EmulatorUser | undefined;
  readonly isTokenOptional: boolean;
}) => (
  <SelectField
    label="As user"
    value={caller?.id ?? ''}
    options={[
      ...users.slice(0, MAX_USERS).map((user) => ({ value: user.id, title: nameOfUser(user) })),
      ...(caller && !users.slice(0, MAX_USERS).includes(caller)
        ? [{ value: caller.id, title: nameOfUser(caller) }]
        : []),
      { value: '', title: isTokenOptional ? 'Nobody' : 'Nobody: a 401' },
    ]}
    onSelect={(id) => {
      callerId.value = id;
    }}
  />
);

function Response({ sent: { response, recorded } }: { readonly sent: Sent }) {
  const { status, statusText, headers, text, duration } = response;
  return (
    <section class="try-response" aria-label="Response">
      <div class="toolbar" role="status">
        <StatusBadge status={status} />
        <b>{statusText}</b>
        <span class="muted">
          {formatDuration(duration)}
          {text !== '' && `, ${formatNumber(new Blob([text]).size)} bytes`}
        </span>
        {recorded && <Link to={pathOf('requests', recorded.id)}>Request {recorded.id}</Link>}
        {recorded?.fault != null && <Badge kind="warn">fault {recorded.fault}</Badge>}
      </div>
      {text === '' ? (
        <p class="muted">
          {status === 0
            ? 'The connection was closed without a full response: a fault does this, or no emulator runs.'
            : 'The response has no body.'}
        </p>
      ) : (
        <Json value={parseBody(text)} />
      )}
      {headers.length > 0 && (
        <details>
          <summary>{headers.length} headers</summary>
          <dl class="try-headers">
            {headers.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {recorded && recorded.commit === recorded.id && <Changes id={recorded.id} />}
      {recorded && recorded.commit !== recorded.id && <p class="muted">It changed no records.</p>}
    </section>
  );
}

/** What the request changed. */
function Changes({ id }: { readonly id: string }) {
  const { data } = useResource<CommitDetail>(pathOf('history', id), 'emulator');
  if (!data) return null;
  return (
    <div class="try-changes">
      <h3>What it changed</h3>
      {data.changes.slice(0, MAX_CHANGES).map((change) => (
        <ChangeView key={`${change.collection} ${change.id}`} change={change} />
      ))}
      {data.total > MAX_CHANGES && (
        <p>
          <Link to={pathOf('requests', id)}>All {formatNumber(data.total)} changes</Link>
        </p>
      )}
    </div>
  );
}
