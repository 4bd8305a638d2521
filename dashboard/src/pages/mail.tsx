import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { base, withQuery } from '../lib/api.js';
import { formatBytes, formatNumber, formatTime } from '../lib/format.js';
import { at, pathOf, place, setQuery } from '../lib/location.js';
import { useResource } from '../lib/resource.js';
import type { RecordPage, Row, SentEmail } from '../lib/types.js';
import { Code, Json } from '../ui/code.js';
import { Loading } from '../ui/commit.js';
import { Age, Button, CopyButton, Empty, ErrorMessage, Link, Page, Properties, Tabs } from '../ui/elements.js';
import { ExternalLink } from '../ui/external.js';
import { VirtualList } from '../ui/virtual-list.js';

/** An image, style or font of another host. */
const REMOTE =
  /\b(?:src|srcset|background|poster)\s*=\s*["']?\s*(?:https?:)?\/\/|url\(\s*["']?(?:https?:)?\/\/|<link\b/i;
/** Emails that the page lists, the newest. */
const MAX_LISTED = 1_000;
const ROW_HEIGHT = 52;

/** The emails that programs have sent. None has left the emulator. */
export function MailPage() {
  const [, selected] = place.value.segments;
  const { data, error } = useResource<RecordPage>(withQuery('/records/emails', { at: at.value, limit: MAX_LISTED }));
  const words = place.value.query.get('q') ?? '';
  const found = data?.records.filter((email) => hasWords(email, words)) ?? [];
  return (
    <Page fills title="Mail" subtitle={data && `${formatNumber(data.total)} kept, newest first. None was sent.`}>
      {error ? (
        <ErrorMessage error={error} />
      ) : data?.total === 0 ? (
        <NoMail />
      ) : (
        data && (
          <div class={selected === undefined ? 'request-split' : 'request-split open'}>
            <div class="request-list">
              <search class="toolbar mail-search">
                <input
                  class="search"
                  type="search"
                  aria-label="Search emails"
                  placeholder="Search emails"
                  value={words}
                  onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
                />
              </search>
              <VirtualList
                label="Emails, newest first"
                count={found.length}
                rowHeight={ROW_HEIGHT}
                renderRow={(index) => <MailRow email={found[index]} selected={selected} />}
              />
            </div>
            {selected !== undefined && (
              <div class="mail-pane">
                <Link to="/mail" query={{ q: words }} class="narrow-only">
                  All emails
                </Link>
                <MailDetail key={selected} id={selected} />
              </div>
            )}
          </div>
        )
      )}
    </Page>
  );
}

/** Whether the addresses, the subject or the text of an email has each of some words. */
function hasWords({ subject, from, to, cc, text, html }: Row, words: string): boolean {
  const all = JSON.stringify([subject, from, to, cc, text, html]).toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

const NoMail = () => (
  <Empty title="There are no emails">
    {at.value === undefined ? (
      <p>
        What a program sends by <code>POST /v1/email</code> is kept here.
      </p>
    ) : (
      <p>There were none at this point in time.</p>
    )}
  </Empty>
);

/** Addresses of a row: texts, or objects with a name. */
function formatAddresses(value: unknown): string {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map(formatAddress).join(', ');
}

function formatAddress(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('email' in value)) return String(value ?? '');
  return 'name' in value && value.name ? `${value.name} <${value.email}>` : String(value.email);
}

function MailRow({ email, selected }: { readonly email: Row | undefined; readonly selected: string | undefined }) {
  if (!email) return null;
  const files = Array.isArray(email.attachments) ? email.attachments.length : 0;
  return (
    <Link
      to={pathOf('mail', email.id)}
      query={{ q: place.value.query.get('q') ?? undefined }}
      class={email.id === selected ? 'row mail-row selected' : 'row mail-row'}
      current={email.id === selected}
    >
      <span class="truncate">{String(email.subject) || '(no subject)'}</span>
      <span class="muted mail-time">
        <Age time={String(email.createdAt)} />
      </span>
      <span class="truncate muted">To {formatAddresses(email.to)}</span>
      <span class="muted mail-time">{files > 0 && `${files} attached`}</span>
    </Link>
  );
}

type Part = 'html' | 'text' | 'source' | 'headers' | 'json';

function MailDetail({ id }: { readonly id: string }) {
  const { data: email, error } = useResource<SentEmail>(withQuery(pathOf('emails', id), { at: at.value }));
  const [chosen, setChosen] = useState<Part | undefined>(undefined);
  if (error) return <ErrorMessage error={error} />;
  if (!email) return <Loading />;
  const part = chosen ?? (email.html === null ? 'text' : 'html');
  const addresses = { To: email.to, Cc: email.cc, Bcc: email.bcc, 'Reply to': email.replyTo };
  const shown = Object.entries(addresses).filter(([, list]) => list.length > 0);
  return (
    <section class="request-detail mail-detail" aria-label="Email">
      <h2>{email.subject || '(no subject)'}</h2>
      <Properties
        items={{
          From: email.from ? formatAddress(email.from) : `The address of the service, for ${email.user}`,
          ...Object.fromEntries(shown.map(([name, list]) => [name, formatAddresses(list)])),
          Sent: formatTime(email.time),
          ...(email.links.length > 0 && { Links: <Links links={email.links} /> }),
          ...(email.codes.length > 0 && { Codes: <Codes codes={email.codes} /> }),
          ...(email.attachments.length > 0 && { Attachments: <Attachments email={email} /> }),
        }}
      />
      <Tabs
        label="Parts"
        tabs={[
          { id: 'html', title: 'HTML' },
          { id: 'text', title: 'Text' },
          { id: 'source', title: 'Source' },
          { id: 'headers', title: 'Headers' },
          { id: 'json', title: 'JSON' },
        ]}
        selected={part}
        onSelect={setChosen}
      />
      <MailPart email={email} part={part} />
    </section>
  );
}

const Links = ({ links }: { readonly links: SentEmail['links'] }) => (
  <ul class="mail-files">
    {links.map(({ url, text }) => (
      <li key={url} title={url}>
        <ExternalLink to={url}>{text}</ExternalLink> <CopyButton text={url} label={`Copy ${url}`} />
      </li>
    ))}
  </ul>
);

const Codes = ({ codes }: { readonly codes: readonly string[] }) => (
  <ul class="mail-files">
    {codes.map((code) => (
      <li key={code}>
        <code>{code}</code> <CopyButton text={code} label={`Copy ${code}`} />
      </li>
    ))}
  </ul>
);

const Attachments = ({ email }: { readonly email: SentEmail }) => (
  <ul class="mail-files">
    {email.attachments.map(({ filename, type, size, content }) => (
      <li key={filename}>
        <a download={filename} href={`data:${type ?? 'application/octet-stream'};base64,${content}`}>
          {filename}
        </a>{' '}
        <span class="muted">
          {type} {formatBytes(size)}
        </span>
      </li>
    ))}
  </ul>
);

function MailPart({ email, part }: { readonly email: SentEmail; readonly part: Part }): ComponentChildren {
  if (part === 'json') return <Json value={email} />;
  if (part === 'headers') return <Json value={email.headers} />;
  if (part === 'text')
    return email.text === null ? <Empty title="No text" /> : <Code text={email.text} language="text" />;
  if (email.html === null) return <Empty title="No HTML" />;
  if (part === 'source') return <Code text={email.html} language="html" />;
  return <HtmlFrame id={email.id} html={email.html} />;
}

/** The HTML, at the width of the page or of a phone. It runs no script, and loads from other hosts on request only. */
function HtmlFrame({ id, html }: { readonly id: string; readonly html: string }) {
  const [isNarrow, setNarrow] = useState(false);
  const [remote, setRemote] = useState<true | undefined>(undefined);
  const query = { at: at.value, remote: remote && 'true' };
  const address = `${base}${withQuery(`/_emulator${pathOf('emails', id, 'html')}`, query)}`;
  return (
    <>
      <div>
        <Button pressed={isNarrow} onClick={() => setNarrow(!isNarrow)}>
          Phone width
        </Button>{' '}
        {REMOTE.test(html) && (
          <Button pressed={remote === true} onClick={() => setRemote(remote ? undefined : true)}>
            Load remote images
          </Button>
        )}
      </div>
      <iframe
        class={isNarrow ? 'mail-html narrow' : 'mail-html'}
        title="HTML of the email"
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        src={address}
      />
    </>
  );
}
