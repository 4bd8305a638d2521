import { base } from '../lib/api.js';
import { listOperations, type OpenApiDocument, useDocument } from '../lib/openapi.js';
import { useResource } from '../lib/resource.js';
import { toCurl } from '../lib/snippets.js';
import type { Summary } from '../lib/types.js';
import { findCaller, useUsers } from '../lib/users.js';
import { Code } from './code.js';
import { Link } from './elements.js';

/** Finds the first operation that writes and needs nothing but its example. */
function findWrite(document: OpenApiDocument | undefined) {
  for (const { method, path, requestBody } of document ? listOperations(document) : []) {
    const body = requestBody?.content['application/json']?.example;
    if (method === 'POST' && !path.includes('{') && body !== undefined)
      return { method, path, body: JSON.stringify(body) };
  }
  return undefined;
}

/** A command that sends a request as a user of this sandbox. @param writes whether it changes a record */
export function ExampleRequest({ writes = false }: { readonly writes?: boolean }) {
  const { data: summary } = useResource<Summary>('/summary');
  const { data: users } = useUsers();
  const { data: document } = useDocument('openapi');
  const write = writes ? findWrite(document) : undefined;
  if (!users || !summary || (writes && !document)) return null;
  const user = findCaller(users) ?? users[0];
  const headers = {
    ...(user && { Authorization: `Bearer ${user.token}` }),
    ...(write && { 'Content-Type': 'application/json' }),
  };
  return (
    <div class="empty-code">
      <Code language="bash" text={toCurl({ method: 'GET', path: summary.example ?? '/', ...write, headers }, base)} />
      {!user && (
        <p class="muted">
          There is no user, so there is no token. <Link to="/data">Add a user</Link>, or load a dataset under{' '}
          <Link to="/sandboxes">Sandboxes</Link>.
        </p>
      )}
    </div>
  );
}
