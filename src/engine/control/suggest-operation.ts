import type { Route } from '../api/route.js';
import type { Router } from '../api/router.js';
import type { Definitions } from '../definition/definitions.js';
import { suggestRoute } from '../journal/suggest-route.js';
import { ADD_RECORDS } from '../sandbox/adder.js';
import type { ControlContext } from './route.js';

/**
 * Says how records are added, which earlier versions did by the name of their collection alone: `POST /_emulator/vals`.
 * @returns undefined for another request
 */
export function suggestRecords(method: string, path: string, { all }: Definitions): string | undefined {
  const [, name] = /^\/_emulator\/([^/]+)\/?$/.exec(path) ?? [];
  const isAdded = method === 'POST' && all.some((each) => each.name === name && each.adder !== undefined);
  const form = `${ADD_RECORDS} with {"${name}": …}`;
  return isAdded ? `Send ${form} in place of POST ${path}: a record or a list, in fixture format.` : undefined;
}

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
