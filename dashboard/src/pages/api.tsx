import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { download } from '../lib/api.js';
import { pathOf, place } from '../lib/location.js';
import { findOperation, listOperations, type OpenApiDocument, type Operation, useDocument } from '../lib/openapi.js';
import { ActionButton, Empty, ErrorMessage, Link, MethodBadge, Page } from '../ui/elements.js';
import { OperationView } from './api/operation.js';

/** The operations of the emulated API, or those of the control API: `#/api/control`. */
export function ApiPage() {
  const [, first = '', ...rest] = place.value.segments;
  const isControl = first === 'control';
  const [method = '', ...steps] = isControl ? rest : [first, ...rest];
  const path = `/${steps.join('/')}`;
  const name = isControl ? 'openapi-control' : 'openapi';
  const { data: document, error } = useDocument(name);
  const operation = document && method !== '' ? findOperation(document, method, path) : undefined;
  return (
    <Page
      title="API"
      subtitle={
        isControl
          ? 'What this page and the tools call. Try each operation on this sandbox: it can change and reset it.'
          : 'What the emulator implements. Try each operation in this sandbox.'
      }
      actions={
        <ActionButton icon="download" action={() => download(`/${name}.json`, `${name}.json`)}>
          OpenAPI document
        </ActionButton>
      }
    >
      {error && <ErrorMessage error={error} />}
      {document && (
        <div class={method === '' ? 'api' : 'api has-operation'}>
          <OperationList document={document} isControl={isControl} selected={operation} />
          <div class="api-detail">
            {method !== '' && (
              <Link to={isControl ? '/api/control' : '/api'} class="narrow-only">
                All operations
              </Link>
            )}
            {operation ? (
              <OperationView key={operation.route} document={document} operation={operation} isControl={isControl} />
            ) : method === '' ? (
              <Empty title="Choose an operation">
                <p>Its parameters, examples and rules appear here, and you can send it.</p>
              </Empty>
            ) : (
              <Empty title={`There is no operation ${method} ${path}`}>
                <Link to="/api">All operations</Link>
              </Empty>
            )}
          </div>
        </div>
      )}
    </Page>
  );
}

const linkTo = ({ method, path }: Operation, isControl: boolean): string =>
  pathOf('api', ...(isControl ? ['control'] : []), method, ...path.slice(1).split('/'));

/** A path that breaks at its steps. */
const Path = ({ path }: { readonly path: string }) => (
  <span class="mono">
    {path.split(/(?=\/)/).map((step, index) => (
      <Fragment key={index}>
        {step}
        <wbr />
      </Fragment>
    ))}
  </span>
);

/** All operations by tag, with a filter. */
function OperationList({
  document,
  isControl,
  selected,
}: {
  readonly document: OpenApiDocument;
  readonly isControl: boolean;
  readonly selected: Operation | undefined;
}) {
  const [filter, setFilter] = useState('');
  useEffect(() => setFilter(''), [isControl]);
  const wanted = filter.trim().toLowerCase();
  const found = listOperations(document).filter(({ route, summary, operationId }) =>
    [route, summary ?? '', operationId].some((text) => text.toLowerCase().includes(wanted)),
  );
  const tags = [...new Set(found.map(({ tag }) => tag))];
  return (
    <nav class="api-list" aria-label="Operations">
      <div class="tabs">
        <Link to="/api" class="tab" current={!isControl}>
          Emulated API
        </Link>
        <Link to="/api/control" class="tab" current={isControl}>
          Control API
        </Link>
      </div>
      <input
        type="search"
        aria-label="Filter operations"
        placeholder="Filter operations"
        value={filter}
        onInput={({ currentTarget }) => setFilter(currentTarget.value)}
      />
      {found.length === 0 && <p class="muted">No operation matches.</p>}
      {tags.map((tag) => (
        <section key={tag}>
          <h2>{tag}</h2>
          <ul>
            {found
              .filter((operation) => operation.tag === tag)
              .map((operation) => (
                <li key={operation.route}>
                  <Link
                    to={linkTo(operation, isControl)}
                    class="operation-link"
                    current={operation.route === selected?.route}
                  >
                    <MethodBadge method={operation.method} />
                    <span>
                      <Path path={isControl ? operation.path.replace('/_emulator', '') : operation.path} />
                      <span class="operation-summary muted">{operation.summary}</span>
                    </span>
                  </Link>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
