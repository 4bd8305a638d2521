import type { Route } from '../api/route.js';
import type { Router } from '../api/router.js';
import { suggestRoute } from '../journal/suggest-route.js';
import type { ControlContext } from './route.js';

/**
 * Suggests the route that a request to an unknown path means: by the name of its command, tool or method, else by a similar path.
 * @returns ` Did you mean "POST /_emulator/requests/expect"?`, or nothing
 */
export function suggestOperation(method: string, path: string, router: Router<Route<ControlContext>>): string {
  const [, word = ''] = /^\/_emulator\/([^/]+)/.exec(path) ?? [];
  if (word === '') return '';
  const isNamed = ({ id, tool }: Route<ControlContext>) =>
    id === word || tool === word || (id.startsWith(word) && /^[A-Z]/.test(id.slice(word.length)));
  const named = router.routes.filter(isNamed);
  const name = named.find((route) => route.method === method)?.name;
  const suggestion = name === undefined ? suggestRoute(`${method} ${path}`, router) : `Did you mean "${name}"?`;
  const [first] = named;
  if (suggestion !== '') return ` ${suggestion}`;
  return first ? ` Did you mean "${first.name}"?` : '';
}
