import { useState } from 'preact/hooks';
import { place } from '../../lib/location.js';
import {
  describeType,
  findResponse,
  findSchema,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Schema,
} from '../../lib/openapi.js';
import { parseRule } from '../../lib/operations.js';
import { Json } from '../../ui/code.js';
import { Badge, MethodBadge, Panel, StatusBadge } from '../../ui/elements.js';
import { Prose } from '../../ui/prose.js';
import { TryIt } from './try-it.js';

interface OperationProps {
  readonly document: OpenApiDocument;
  readonly operation: Operation;
}

/** All that the document says about an operation, and a form that sends it. */
export function OperationView({ document, operation, isControl }: OperationProps & { readonly isControl: boolean }) {
  const { method, path, summary, description, security, 'x-origin': origin } = operation;
  // Its response has no end.
  const isStream = 'text/event-stream' in (operation.responses['200']?.content ?? {});
  const isTokenOptional = security?.some((each) => Object.keys(each).length === 0) ?? true;
  return (
    <>
      <header class="operation-header">
        <h2>{summary}</h2>
        <p class="operation-route">
          <MethodBadge method={method} />
          <code>{path}</code>
          {!isControl && <Badge>{isTokenOptional ? 'token optional' : 'token required'}</Badge>}
          {origin === 'unofficial' && <Badge kind="warn">unofficial</Badge>}
        </p>
        {description !== undefined && (
          <p>
            <Prose text={description} />
          </p>
        )}
        {origin === 'unofficial' && (
          <p class="muted">This route is not in the specification. Published programs call it.</p>
        )}
      </header>
      {!isStream && <TryIt operation={operation} isControl={isControl} isTokenOptional={isTokenOptional} />}
      <Parameters document={document} operation={operation} />
      <RequestBody document={document} operation={operation} />
      <Rules operation={operation} />
      <Responses document={document} operation={operation} />
    </>
  );
}

interface FieldRow {
  readonly name: string;
  readonly place?: string | undefined;
  readonly isRequired: boolean;
  readonly schema: Schema;
  readonly description?: string | undefined;
}

/** Levels of fields within fields that are listed. */
const MAX_LEVELS = 3;

/** Lists the fields of a schema, with those of its objects and lists: `author.id`, `data[].name`. */
function listFields(document: OpenApiDocument, schema: Schema, prefix = '', level = 1): FieldRow[] {
  const { properties = {}, required = [], items, anyOf = [] } = findSchema(document, schema);
  if (level > MAX_LEVELS) return [];
  if (items) return listFields(document, items, `${prefix}[]`, level);
  const own = Object.entries(properties).flatMap(([key, field]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const row = { name, schema: field, isRequired: level === 1 && required.includes(key) };
    return [row, ...listFields(document, field, name, level + 1)];
  });
  return [...own, ...anyOf.flatMap((each) => listFields(document, each, prefix, level))];
}

const FieldTable = ({
  document,
  label,
  rows,
}: {
  readonly document: OpenApiDocument;
  readonly label: string;
  readonly rows: readonly FieldRow[];
}) => {
  const fields = rows.map((row) => ({ ...row, resolved: findSchema(document, row.schema) }));
  const isDescribed = fields.some(
    ({ description, resolved }) => (description ?? resolved.description ?? resolved.default) !== undefined,
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, also by keys
    <section class="table-scroll" tabIndex={0} aria-label={label}>
      <table class="api-fields">
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Type</th>
            {isDescribed && <th scope="col">Description</th>}
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, place, isRequired, schema, description, resolved }, index) => (
            <tr key={index}>
              <td>
                <code>{name}</code>
                <span class="field-notes muted">{[place, isRequired && 'required'].filter(Boolean).join(', ')}</span>
              </td>
              <td class="muted">{describeType(document, schema)}</td>
              {isDescribed && (
                <td>
                  <Prose text={description ?? resolved.description ?? ''} />
                  {resolved.default !== undefined && (
                    <span class="muted"> Default: {JSON.stringify(resolved.default)}</span>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

const toRow = ({ name, in: place, required = false, schema = {}, description }: Parameter): FieldRow => ({
  ...{ name, place, isRequired: required, schema, description },
});

const Parameters = ({ document, operation: { parameters = [] } }: OperationProps) =>
  parameters.length === 0 ? null : (
    <Panel title="Parameters">
      <FieldTable document={document} label="Parameters" rows={parameters.map(toRow)} />
    </Panel>
  );

function RequestBody({ document, operation: { requestBody } }: OperationProps) {
  const content = requestBody?.content['application/json'];
  if (!content?.schema) return null;
  const rows = listFields(document, content.schema);
  return (
    <Panel title={requestBody?.required ? 'Body' : 'Body, optional'}>
      {rows.length > 0 && <FieldTable document={document} label="Fields of the body" rows={rows} />}
      {content.example !== undefined && (
        <div class="panel-body">
          <Json value={content.example} />
        </div>
      )}
    </Panel>
  );
}

const SOURCES: Readonly<Record<string, { readonly title: string; readonly hint: string }>> = {
  specification: { title: 'Specification', hint: 'The OpenAPI document of the service' },
  record: { title: 'Public record', hint: 'Published programs, responses and posts' },
  chosen: { title: 'Chosen', hint: 'A choice of this project: nothing public says more' },
};

/** The rules that the emulator follows, each with its source. */
const Rules = ({ operation: { 'x-rules': rules = {} } }: { readonly operation: Operation }) => {
  const groups = Object.entries(rules).filter(([, texts]) => texts.length > 0);
  /** The key of the rule of a link. */
  const wanted = place.value.query.get('rule');
  if (groups.length === 0) return null;
  return (
    <Panel title="Rules and their sources">
      <dl class="api-rules panel-body">
        {groups.map(([source, texts]) => (
          <div key={source}>
            <dt>
              <b>{SOURCES[source]?.title ?? source}</b>
              <span class="muted">{SOURCES[source]?.hint}</span>
            </dt>
            <dd>
              <ul>
                {texts.map(parseRule).map(({ key, text }) => (
                  <li
                    key={key}
                    class={key === wanted ? 'target' : ''}
                    ref={(item) => {
                      if (key === wanted) item?.scrollIntoView({ block: 'center' });
                    }}
                  >
                    <Prose text={text} />
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
};

function Responses({ document, operation: { responses } }: OperationProps) {
  const statuses = Object.keys(responses);
  const [selected, setSelected] = useState(statuses[0] ?? '');
  const entry = responses[selected];
  const response = entry && findResponse(document, entry);
  const content = response?.content && Object.values(response.content)[0];
  const rows = content?.schema ? listFields(document, content.schema) : [];
  return (
    <Panel title="Responses">
      <fieldset class="statuses">
        <legend class="visually-hidden">Status</legend>
        {statuses.map((status) => (
          <button
            key={status}
            type="button"
            class="tab"
            aria-pressed={status === selected}
            onClick={() => setSelected(status)}
          >
            <StatusBadge status={Number(status)} />
          </button>
        ))}
      </fieldset>
      {response && (
        <div class="panel-body stack">
          {response.description !== undefined && (
            <p>
              <Prose text={response.description} />
            </p>
          )}
          {content?.example === undefined ? (
            <p class="muted">{content ? 'There is no example.' : 'The response has no body.'}</p>
          ) : (
            <Json value={content.example} />
          )}
        </div>
      )}
      {rows.length > 0 && <FieldTable document={document} label="Fields of the response" rows={rows} />}
    </Panel>
  );
}
