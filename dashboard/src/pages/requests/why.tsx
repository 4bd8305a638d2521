import { formatValue } from '../../lib/format.js';
import { type Source, useOperations } from '../../lib/operations.js';
import type { RequestRecord } from '../../lib/types.js';
import { Loading } from '../../ui/commit.js';
import { Badge, Link } from '../../ui/elements.js';

const SOURCE_TEXTS: Readonly<Record<Source, string>> = {
  specification: 'from the specification of the API',
  record: 'from published programs and records of the service',
  chosen: 'chosen by the emulator, where no source says it',
};

/** What is behind a response that is an error: the reason first, then the rules of the route. */
export function Why({ entry }: { readonly entry: RequestRecord }) {
  const { status, route, fault, method, path } = entry;
  const operations = useOperations();
  if (fault !== null) {
    return (
      <p>
        The response is a fault that was injected (<span class="mono">{fault}</span>), not one of the API.{' '}
        <Link to="/faults">See the armed faults</Link>
      </p>
    );
  }
  if (route === null) {
    return (
      <p>
        The API has no route <span class="mono">{`${method} ${path}`}</span>. <Link to="/api">See all operations</Link>
      </p>
    );
  }
  if (!operations) return <Loading />;
  // HEAD is handled as GET.
  const operation = operations.find((each) => each.route === route);
  const meaning = operation?.responses[String(status)];
  const rules = operation?.rules ?? [];
  const isAbout = ({ text }: { readonly text: string }) => text.includes(String(status));
  const direct = rules.filter(isAbout);
  const others = rules.filter((rule) => !isAbout(rule));
  return (
    <div class="stack">
      <Reasons entry={entry} fields={operation?.fields ?? []} />
      {meaning !== undefined && meaning !== '' && (
        <p>
          <b>{status}</b> of this route: {meaning}.
        </p>
      )}
      {direct.length > 0 && <RuleList title={`Rules that name ${status}`} rules={direct} route={route} />}
      {others.length > 0 && (
        <RuleList
          title={direct.length > 0 ? 'Other rules of the route' : 'Rules of the route'}
          rules={others}
          route={route}
        />
      )}
      {rules.length === 0 && <p class="muted">No rule of this route is documented.</p>}
    </div>
  );
}

/** A part of a validation message: `body/code must be string`. */
const PROBLEM = /^(body|querystring|params|headers)(\/\S+)? (.+)$/;

/** Says what is wrong with the request: where, what is required, what was sent, and which name was meant. */
function Reasons({ entry, fields }: { readonly entry: RequestRecord; readonly fields: readonly string[] }) {
  const { message } = Object(entry.response.body);
  if (typeof message !== 'string') return null;
  const problems = entry.status === 400 ? message.split(/, (?=(?:body|querystring|params)\b)/) : [message];
  return (
    <ul class="reasons">
      {problems.map((problem) => {
        const [, part = '', path = '', rule = ''] = PROBLEM.exec(problem) ?? [];
        const missing = /required property '(.+)'/.exec(rule)?.[1];
        const sent = findSent(entry, part, path);
        const meant = missing === undefined ? undefined : findMistyped(sent, missing, fields);
        return (
          <li key={problem}>
            <b>{problem}</b>
            {sent !== undefined && missing === undefined && (
              <span>
                {' '}
                It was sent as <code>{formatValue(sent)}</code>.
              </span>
            )}
            {meant !== undefined && (
              <span>
                {' '}
                The request has <code>{meant}</code>: did it mean <code>{missing}</code>?
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Returns the value that a request sent at a path: `/code` of its body. */
function findSent({ request, query, params }: RequestRecord, part: string, path: string): unknown {
  const whole: unknown = { body: request.body, querystring: query, params }[part];
  return path
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => Object(value)[key], whole);
}

/** Finds a name in what was sent that the route does not know and that resembles a missing one. */
const findMistyped = (sent: unknown, missing: string, fields: readonly string[]): string | undefined =>
  Object.keys(Object(sent)).find((name) => !fields.includes(name) && resembles(name.toLowerCase(), missing));

/** Whether two names share their first letters, or one contains the other. */
const resembles = (name: string, other: string): boolean =>
  name.includes(other) || other.includes(name) || name.slice(0, 3) === other.slice(0, 3);

const RuleList = ({
  title,
  rules,
  route,
}: {
  readonly title: string;
  readonly rules: readonly { readonly source: Source; readonly text: string }[];
  readonly route: string;
}) => (
  <section class="detail-part">
    <h3>{title}</h3>
    <ul class="rule-list">
      {rules.map(({ source, text }) => (
        <li key={text}>
          <Link to={`/api/${route.replace(' ', '')}`} query={{ rule: text }}>
            {text}
          </Link>
          <span title={SOURCE_TEXTS[source]}>
            <Badge>{source}</Badge>
          </span>
        </li>
      ))}
    </ul>
  </section>
);
