import { type Rule, type Source, useOperations } from '../../lib/operations.js';
import type { RequestRecord } from '../../lib/types.js';
import { Loading } from '../../ui/commit.js';
import { Badge, Link } from '../../ui/elements.js';

const SOURCE_TEXTS: Readonly<Record<Source, string>> = {
  specification: 'from the specification of the API',
  record: 'from published programs and records of the service',
  chosen: 'chosen by the emulator, where no source says it',
};

/** What is behind a response that is an error: what the log says as well, then the rules of the route. */
export function Why({ entry }: { readonly entry: RequestRecord }) {
  const { fault, route, status, message, reason, suggestion } = entry;
  const others = [reason, suggestion].filter((text) => text !== null);
  return (
    <div class="stack">
      <ul class="reasons">
        {message !== null && (
          <li>
            <b>{message}</b>
          </li>
        )}
        {others.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {fault !== null ? (
        <p>
          The response is a fault that was injected, not one of the API. <Link to="/faults">See the armed faults</Link>
        </p>
      ) : route === null ? (
        <p>
          {status === 501
            ? 'The service has this route, and the emulator has not.'
            : `The API has no such ${status < 400 ? 'tool' : 'route'}.`}{' '}
          <Link to="/api">See all operations</Link>
        </p>
      ) : (
        <Rules status={status} route={route} />
      )}
    </div>
  );
}

/** The rules of a route, first those that name the status. */
function Rules({ status, route }: { readonly status: number; readonly route: string }) {
  const operations = useOperations();
  if (!operations) return <Loading />;
  // HEAD is handled as GET.
  const operation = operations.find((each) => each.route === route);
  const rules = operation?.rules ?? [];
  const isAbout = ({ text }: { readonly text: string }) => text.includes(String(status));
  const direct = rules.filter(isAbout);
  const others = rules.filter((rule) => !isAbout(rule));
  return (
    <>
      {direct.length > 0 && <RuleList title={`Rules that name ${status}`} rules={direct} route={route} />}
      {others.length > 0 && (
        <RuleList
          title={direct.length > 0 ? 'Other rules of the route' : 'Rules of the route'}
          rules={others}
          route={route}
        />
      )}
      {rules.length === 0 && <p class="muted">No rule of this route is documented.</p>}
    </>
  );
}

const RuleList = ({
  title,
  rules,
  route,
}: {
  readonly title: string;
  readonly rules: readonly Rule[];
  readonly route: string;
}) => (
  <section class="detail-part">
    <h3>{title}</h3>
    <ul class="rule-list">
      {rules.map(({ source, key, text }) => (
        <li key={key}>
          <Link to={`/api/${route.replace(' ', '')}`} query={{ rule: key }}>
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
