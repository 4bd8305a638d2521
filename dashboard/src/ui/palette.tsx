import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { control, dashboardUrl, withQuery } from '../lib/api.js';
import { isForPage } from '../lib/keys.js';
import { commits, requests, sandboxes } from '../lib/live.js';
import { at, navigate, pathOf, travelTo } from '../lib/location.js';
import { useResource } from '../lib/resource.js';
import type { RecordPage } from '../lib/types.js';
import { Dialog } from './dialog.js';
import { Icon, type IconName } from './icons.js';
import { navigation } from './navigation.js';
import { useDelayed } from './reference-input.js';
import { toast } from './toast.js';
import { forkSandbox } from './travel.js';

const shown = signal<'palette' | 'keys' | undefined>(undefined);
const close = () => {
  shown.value = undefined;
};

const KEYS = [
  ['Ctrl K, ⌘ K', 'Go to a page, an id, a name or an action'],
  ['/', 'Search on this page'],
  ['j, k, ↓, ↑', 'Next and previous row of Requests and Time'],
  ['Enter, Esc', 'Open and close a request'],
  ['←, →', 'One commit earlier or later, while the pages show an earlier state'],
  ['?', 'These keys'],
] as const;

/** Listens to the keys of all pages, and shows what they open. */
export function Palette() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey } = event;
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey)) shown.value = shown.value ? undefined : 'palette';
      else if (!isForPage(event)) return;
      else if (key === '?') shown.value = 'keys';
      else if (key === '/') document.querySelector<HTMLElement>('main input[type="search"]')?.focus();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  if (shown.value === 'palette') return <Search />;
  if (shown.value === undefined) return null;
  return (
    <Dialog title="Keys" onClose={close}>
      <dl class="properties keys">
        {KEYS.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

interface Item {
  readonly icon: IconName;
  readonly title: string;
  readonly hint: string;
  readonly run: () => unknown;
}

const makeItem = (icon: IconName, hint: string, title: string, run: () => unknown): Item => ({
  icon,
  hint,
  title,
  run,
});

const takeSnapshot = async () => {
  await control.takeSnapshot({ at: at.value });
  toast('Took a snapshot.');
};
const showKeys = () =>
  setTimeout(() => {
    shown.value = 'keys';
  });

const FIXED: readonly Item[] = [
  ...navigation.value.map(({ section, title, icon }) => makeItem(icon, 'Page', title, () => navigate(`/${section}`))),
  makeItem('fork', 'Action', 'Fork this sandbox', () => forkSandbox(at.value)),
  makeItem('camera', 'Action', 'Take a snapshot', takeSnapshot),
  makeItem('time', 'Action', 'Back to now', () => travelTo(undefined)),
  makeItem('menu', '?', 'Show the keys', showKeys),
];

/** Items of a kind that are listed. */
const LISTED = 6;

/** Finds pages, requests, commits, sandboxes, users, vals and actions by a part of their name or id. */
function useItems(text: string): readonly Item[] {
  const q = useDelayed(text).replace(/^.*\//s, '');
  const wanted = text.toLowerCase();
  const useRecords = (collection: string) =>
    useResource<RecordPage>(
      q === '' ? undefined : withQuery(`/records/${collection}`, { q, limit: LISTED, at: at.value }),
    ).data?.records ?? [];
  const users = useRecords('users');
  const vals = useRecords('vals');
  if (wanted === '') return FIXED;
  const includes = (name: string) => name.toLowerCase().includes(wanted);
  return [
    ...requests.value
      .filter(({ id }) => id === wanted)
      .map(({ id, method, path }) =>
        makeItem('requests', 'Request', `${id} ${method} ${path}`, () => navigate(pathOf('requests', id))),
      ),
    ...commits.value
      .filter(({ id, names }) => id === wanted || names.some(includes))
      .slice(-LISTED)
      .map(({ id, names, request }) =>
        makeItem('time', 'Commit', `${id} ${names[0] ?? request}`, () => navigate('/time', { at: id })),
      ),
    ...FIXED.filter(({ title }) => includes(title)),
    ...sandboxes.value
      .filter(({ name }) => includes(name))
      .map(({ name }) => makeItem('sandboxes', 'Sandbox', name, () => window.location.assign(dashboardUrl(name)))),
    ...users.map(({ id, username }) =>
      makeItem('data', 'User', String(username ?? id), () => navigate(pathOf('data', 'users', id))),
    ),
    ...vals.map(({ id, author, name }) =>
      makeItem('data', 'Val', `${author}/${name}`, () => navigate(pathOf('data', 'vals', id))),
    ),
  ];
}

function Search() {
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const items = useItems(text.trim());
  const current = Math.min(index, items.length - 1);
  useEffect(() => list.current?.children[current]?.scrollIntoView({ block: 'nearest' }), [current]);
  const run = async (item: Item | undefined) => {
    if (!item) return;
    close();
    try {
      await item.run();
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), 'error');
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setIndex((current + step + items.length) % Math.max(1, items.length));
    else if (event.key === 'Enter') void run(items[current]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={close}>
      <input
        class="palette-input"
        type="search"
        aria-label="Page, id, name or action"
        placeholder="Page, id, name or action"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul class="palette-items" aria-label="Found" ref={list}>
        {items.map((item, i) => (
          <li key={`${item.hint} ${item.title}`}>
            <button type="button" aria-current={i === current} onClick={() => void run(item)}>
              <Icon name={item.icon} />
              <span class="truncate">{item.title}</span>
              <span class="muted">{item.hint}</span>
            </button>
          </li>
        ))}
      </ul>
      {items.length === 0 && <p class="muted">Nothing has this name or id.</p>}
    </Dialog>
  );
}
