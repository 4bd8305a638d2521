import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { base, control, dashboardUrl, root, rootControl, sandboxName } from '../lib/api.js';
import { formatClock, formatNumber } from '../lib/format.js';
import { isForPage } from '../lib/keys.js';
import { clock, commits, connection, faults, isRead, refusal, requests, sandboxes } from '../lib/live.js';
import { at, place, travelTo } from '../lib/location.js';
import { isDark, setDark } from '../lib/theme.js';
import { RewindDialog } from './commit.js';
import { ActionButton, Button, Link } from './elements.js';
import { Icon } from './icons.js';
import { navigation } from './navigation.js';
import { hasSignedIn, signOut } from './sign-in.js';
import { commitsAfter, forkSandbox, isWhole, type Moment } from './travel.js';

// The frame of all pages: navigation, sandbox, connection, and the point in time that the pages show.

const isMenuOpen = signal(false);

/** What a section has, for the navigation. */
function countOf(section: string): string {
  const counts: Readonly<Record<string, number>> = {
    requests: requests.value.length,
    time: commits.value.length,
    faults: faults.value.filter(({ remaining }) => remaining !== 0).length,
    sandboxes: sandboxes.value.length === 0 ? 0 : sandboxes.value.length + 1,
  };
  if (section === 'clock') return clock.value?.frozen ? 'frozen' : '';
  const count = counts[section] ?? 0;
  return count === 0 ? '' : formatNumber(count);
}

export function Sidebar({ section }: { readonly section: string }) {
  const header = useRef<HTMLElement>(null);
  const isOpen = isMenuOpen.value;
  useEffect(() => {
    if (!isOpen) return;
    const close = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      isMenuOpen.value = false;
      header.current?.querySelector<HTMLElement>('.menu-button button')?.focus();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [isOpen]);
  return (
    <header class="sidebar" ref={header}>
      <div class="sidebar-top">
        <Link to="/" class="brand" aria-label="val-emulator">
          <img src="icon.svg" alt="" width="22" height="22" />
          <span>val-emulator</span>
        </Link>
        <span class="menu-button">
          <span class="muted truncate">
            {sandboxName === '' ? 'default' : sandboxName}
            {connection.value === 'open' ? '' : `, ${CONNECTION_TEXTS[connection.value].toLowerCase()}`}
          </span>
          <Button
            icon="menu"
            kind="plain"
            label="Menu"
            expanded={isOpen}
            onClick={() => {
              isMenuOpen.value = !isMenuOpen.value;
            }}
          />
        </span>
      </div>
      <div class={isOpen ? 'sidebar-content open' : 'sidebar-content'}>
        <SandboxSwitch />
        <nav aria-label="Pages">
          <ul>
            {navigation.value.map(({ section: name, title, icon }) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the link inside is followed by keys, and then the menu closes too
              <li
                key={name}
                onClick={() => {
                  isMenuOpen.value = false;
                }}
              >
                <Link to={`/${name}`} class="nav-link" current={section === name}>
                  <Icon name={icon} />
                  <span>{title}</span>
                  <span class="count">{countOf(name)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div class="sidebar-bottom">
          <div class="sidebar-status">
            <Connection />
            {!refusal.value && hasSignedIn() && (
              <ActionButton icon="signOut" kind="plain" label="Sign out" action={signOut} />
            )}
            <ThemeButton />
          </div>
          <small class="muted">Not affiliated with Val Town</small>
        </div>
      </div>
    </header>
  );
}

/** Goes to the same page of another sandbox. */
function SandboxSwitch() {
  const names = ['', ...sandboxes.value.map(({ name }) => name)];
  const all = names.includes(sandboxName) ? names : [...names, sandboxName];
  return (
    <label class="sandbox-switch">
      <span class="field-label">Sandbox</span>
      <select
        value={sandboxName}
        onChange={({ currentTarget }) => {
          // Ids of requests, commits and records are others there.
          const [section = ''] = place.value.segments;
          window.location.href = `${dashboardUrl(currentTarget.value)}#/${section}`;
        }}
      >
        {all.map((name) => (
          <option key={name} value={name}>
            {name === '' ? 'default' : name}
          </option>
        ))}
      </select>
    </label>
  );
}

const CONNECTION_TEXTS = { connecting: 'Connecting', open: 'Live', lost: 'Disconnected' } as const;

const Connection = () => (
  <span class={`connection ${connection.value}`} title={base}>
    <span class="dot" />
    <span>{CONNECTION_TEXTS[connection.value]}</span>
    <span class="muted">{new URL(root).host}</span>
  </span>
);

const ThemeButton = () => (
  <Button
    icon={isDark.value ? 'sun' : 'moon'}
    kind="plain"
    label={isDark.value ? 'Use light colors' : 'Use dark colors'}
    onClick={() => setDark(!isDark.value)}
  />
);

/** Says that no emulator responds, or why it refuses. The page connects again by itself. */
export function ConnectionBanner() {
  if (connection.value !== 'lost') return null;
  const isMissing = refusal.value?.status === 404 && sandboxName !== '';
  return (
    <div class="banner lost" role="status">
      <Icon name="warning" />
      {refusal.value ? (
        <p>
          {refusal.value.message} {isMissing && <a href={dashboardUrl('')}>Open the default sandbox</a>}
        </p>
      ) : (
        <p>
          No emulator responds at <code>{base}</code>. {isRead.value && 'What you see is from before. '}The page goes on
          when it responds.
        </p>
      )}
      {isMissing && <ActionButton action={openAgain}>Create it</ActionButton>}
    </div>
  );
}

/** Creates the sandbox of this page, which is missing or closed. Only the emulator itself can: a closed sandbox refuses all requests. */
const openAgain = () => rootControl.openSandbox({ name: sandboxName });

/** Says which earlier state all pages show. */
function ShownState({ id }: { readonly id: string }) {
  const commit = commits.value.find((each) => each.id === id);
  if (id === 'start') {
    return (
      <p>
        All pages show the state <b>before the first commit</b> of the history.
      </p>
    );
  }
  if (!commit) {
    return (
      <p>
        The history has no commit <b>{id}</b>: it was taken back, or is too old.
      </p>
    );
  }
  return (
    <p>
      All pages show the state <b>after {id}</b> <code>{commit.request}</code> at {formatClock(commit.time)}.
    </p>
  );
}

/** Finds the state that a number of commits later or earlier has. Undefined beyond the ends of the history. */
function findStep(id: string, step: -1 | 1): Moment | undefined {
  const ids = commits.value.map((commit) => commit.id);
  const states = isWhole() ? ['start', ...ids] : ids;
  const index = states.indexOf(id) + step;
  if (index <= 0 && step === 1) return undefined;
  // The last commit made the current state.
  return index < 0 ? undefined : { at: index >= states.length - 1 ? undefined : states[index] };
}

/** Says that all pages show an earlier state, and offers what one can do with it. The arrow keys step through time. */
export function TimeBanner() {
  const [isRewinding, setRewinding] = useState(false);
  const id = at.value;
  const earlier = id === undefined ? undefined : findStep(id, -1);
  const later = id === undefined ? undefined : findStep(id, 1);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = ({ ArrowLeft: -1, ArrowRight: 1 } as const)[event.key];
      if (step === undefined || at.value === undefined || !isForPage(event)) return;
      const moment = findStep(at.value, step);
      if (moment) travelTo(moment.at);
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  if (id === undefined) return null;
  const isKnown = id === 'start' || commits.value.some((commit) => commit.id === id);
  return (
    <div class="banner time-banner">
      <Icon name="time" />
      <div role="status">
        <ShownState id={id} />
      </div>
      <div class="actions">
        {isKnown && (
          <>
            <Button
              icon="back"
              label="One commit earlier (←)"
              disabled={!earlier}
              onClick={() => earlier && travelTo(earlier.at)}
            />
            <Button
              icon="next"
              label="One commit later (→)"
              disabled={!later}
              onClick={() => later && travelTo(later.at)}
            />
            {commitsAfter(id).length > 0 && (
              <Button icon="rewind" onClick={() => setRewinding(true)}>
                Rewind to here
              </Button>
            )}
            <ActionButton icon="camera" action={() => control.takeSnapshot({ at: id })} done="Took a snapshot.">
              Snapshot
            </ActionButton>
            <ActionButton icon="fork" action={() => forkSandbox(id)}>
              Fork
            </ActionButton>
          </>
        )}
        <Button kind="primary" onClick={() => travelTo(undefined)}>
          Back to now
        </Button>
      </div>
      {isRewinding && <RewindDialog at={id} onClose={() => setRewinding(false)} />}
    </div>
  );
}
