import { useState } from 'preact/hooks';
import type { Problem } from '../../../../src/engine/lib/errors.js';
import { ControlError, control, toControlError } from '../../lib/api.js';
import { requests } from '../../lib/live.js';
import { pathOf } from '../../lib/location.js';
import { useOperations } from '../../lib/operations.js';
import { Dialog } from '../../ui/dialog.js';
import { Badge, Button, ErrorMessage, Field, Link } from '../../ui/elements.js';

type Result = 'matched' | ControlError | undefined;

const EMPTY = { route: '', times: '', user: '', status: '', query: '', headers: '', body: '' };
type Form = typeof EMPTY;

/** Reads the form. @throws ControlError with the fields that are no JSON */
function toExpectation({ route, times, user, status, ...json }: Form): object {
  const problems: Problem[] = [];
  const parsed = Object.entries(json).flatMap(([path, text]): [string, unknown][] => {
    if (text.trim() === '') return [];
    try {
      return [[path, JSON.parse(text)]];
    } catch {
      problems.push({ path, message: 'expected JSON such as {"name": "report"}.' });
      return [];
    }
  });
  if (problems.length > 0) throw new ControlError(400, 'The expectation has wrong values.', problems);
  return {
    route,
    ...(times === '' ? {} : { times: Number(times) }),
    ...(user === '' ? {} : { user }),
    ...(status === '' ? {} : { status: Number(status) }),
    ...Object.fromEntries(parsed),
  };
}

/** Compares an expectation of a test with the requests that were received, and says what differs. */
export function ExpectDialog({ route, onClose }: { readonly route: string; readonly onClose: () => void }) {
  const operations = useOperations();
  const [form, setForm] = useState<Form>({ ...EMPTY, route });
  const [result, setResult] = useState<Result>(undefined);
  const set = (name: keyof Form) => (event: { readonly currentTarget: { readonly value: string } }) => {
    setForm({ ...form, [name]: event.currentTarget.value });
    setResult(undefined);
  };
  const routes = operations?.map((each) => each.route) ?? [form.route].filter(Boolean);
  const selected = form.route || (routes[0] ?? '');
  const users = [...new Set(requests.value.flatMap(({ user }) => user ?? []))].sort();
  const check = async () => {
    try {
      await control.expectRequest(toExpectation({ ...form, route: selected }));
      setResult('matched');
    } catch (error) {
      setResult(toControlError(error));
    }
  };
  return (
    <Dialog title="Why did nothing match?" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void check();
        }}
      >
        <p class="muted">
          Enter what <code>expectRequest</code> of a test expects. It is compared with the requests of the journal.
        </p>
        <Field label="Route">
          <select class="mono" value={selected} onChange={set('route')}>
            {routes.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </Field>
        <div class="fields">
          <Field label="Times" hint="Empty: at least once">
            <input type="number" min="0" value={form.times} onInput={set('times')} />
          </Field>
          <Field label="User">
            <input list="expect-users" placeholder="Any" value={form.user} onInput={set('user')} />
          </Field>
          <Field label="Status">
            <input type="number" min="0" max="599" placeholder="Any" value={form.status} onInput={set('status')} />
          </Field>
        </div>
        <datalist id="expect-users">
          {users.map((user) => (
            <option key={user} value={user} />
          ))}
        </datalist>
        <Field label="Body as JSON" hint="Objects may have further keys; lists and other values are equal">
          <textarea spellcheck={false} placeholder='{"name": "report"}' value={form.body} onInput={set('body')} />
        </Field>
        <div class="fields">
          <Field label="Query as JSON">
            <input
              class="mono"
              spellcheck={false}
              placeholder='{"limit": 10}'
              value={form.query}
              onInput={set('query')}
            />
          </Field>
          <Field label="Headers as JSON">
            <input
              class="mono"
              spellcheck={false}
              placeholder='{"accept": "application/json"}'
              value={form.headers}
              onInput={set('headers')}
            />
          </Field>
        </div>
        <div class="actions end">
          <Button kind="primary" type="submit">
            Compare
          </Button>
        </div>
        <div role="status">{result !== undefined && <ExpectResult result={result} onFollow={onClose} />}</div>
      </form>
    </Dialog>
  );
}

/** A request that matches, which has no differences, or a near miss. */
interface Compared {
  readonly id: string;
  readonly text: string;
  readonly differences: readonly string[];
}

/** Reads the requests of a message: a line per request, and its differences below it. */
function parseCompared(message: string): { readonly summary: string; readonly compared: readonly Compared[] } {
  const [summary = '', ...blocks] = message.split(/\n {2}(?=r\d+ )|\n(?=Matches:|Near misses:|No request)/);
  const compared = blocks.flatMap((block) => {
    const [, id, text, rest = ''] = /^(r\d+) ([^\n]*)(.*)$/s.exec(block) ?? [];
    if (id === undefined || text === undefined) return [];
    const differences = rest.split(/\n {6}/).flatMap((line) => (line.trim() === '' ? [] : [line]));
    return [{ id, text, differences }];
  });
  return { summary, compared };
}

function ExpectResult({
  result,
  onFollow,
}: {
  readonly result: 'matched' | ControlError;
  readonly onFollow: () => void;
}) {
  if (result === 'matched') {
    return (
      <p>
        <Badge kind="added">match</Badge> The requests are as expected.
      </p>
    );
  }
  const { summary, compared } = parseCompared(result.message);
  if (compared.length === 0) return <ErrorMessage error={result} />;
  const lists = [
    { title: 'Matches', requests: compared.filter(({ differences }) => differences.length === 0) },
    { title: 'Near misses', requests: compared.filter(({ differences }) => differences.length > 0) },
  ];
  return (
    <div class="stack">
      <p>
        <Badge kind="removed">no match</Badge> {summary}
      </p>
      {lists.map(
        ({ title, requests }) =>
          requests.length > 0 && (
            <section key={title}>
              <h3>{title}</h3>
              <ul class="near-misses">
                {requests.map(({ id, text, differences }) => (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the link inside is followed by keys, and then the dialog closes too
                  <li key={id} onClick={({ target }) => target instanceof Element && target.closest('a') && onFollow()}>
                    <p class="mono">
                      <Link to={pathOf('requests', id)}>{id}</Link> {text}
                    </p>
                    <ul>
                      {differences.map((difference) => (
                        <li key={difference} class="mono differs">
                          {difference}
                        </li>
                      ))}
                    </ul>
                  </li>
                ))}
              </ul>
            </section>
          ),
      )}
    </div>
  );
}
