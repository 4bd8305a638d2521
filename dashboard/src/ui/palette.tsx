import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { toControlError } from '../lib/api.js';
import { isComposed, isForPage } from '../lib/keys.js';
import { listOperations, useDocument } from '../lib/openapi.js';
import { useResource } from '../lib/resource.js';
import type { EmulatorUser } from '../lib/types.js';
import { Dialog } from './dialog.js';
import { ErrorMessage } from './elements.js';
import { Icon } from './icons.js';
import { makeActions } from './palette/actions.js';
import { type Item, listPages, useFound } from './palette/find.js';
import { type Action, understand, type Values, verbOf } from './palette/grammar.js';
import { makeKinds } from './palette/kinds.js';
import { toast } from './toast.js';

const shown = signal<'palette' | 'keys' | undefined>(undefined);
const close = () => {
  shown.value = undefined;
};

const KEYS = [
  ['Ctrl K, ⌘ K', 'Find anything by its name or id, or do something'],
  ['Tab', 'Complete an action there'],
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
    const abort = new AbortController();
    window.addEventListener('keydown', onKey, abort);
    window.addEventListener('popstate', close, abort);
    return () => abort.abort();
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

async function act({ says, run, runWithUndo }: Action, values: Values): Promise<void> {
  // What it says may depend on what it changes.
  const text = says(values);
  await run?.(values);
  const undo = await runWithUndo?.(values);
  toast(text, 'success', undo);
}

/** Understands the text as an action, and finds what has it in its name or id. */
function useItems(text: string, setText: (text: string) => void) {
  const { data: document } = useDocument('openapi');
  const { data: users = [] } = useResource<readonly EmulatorUser[]>(/\b(?:as|by)\s/.test(text) ? '/users' : undefined);
  const kinds = useMemo(
    () => makeKinds(document ? listOperations(document).map(({ route }) => route) : [], users),
    [document, users],
  );
  const actions = useMemo(() => makeActions(users), [users]);
  const { action, values, completions, problem, usage } = understand(text, actions, kinds);
  const found = useFound(text.trim(), document);
  const complete = (title: string, hint: string): Item => ({
    icon: 'next',
    title,
    hint,
    completes: true,
    run: () => setText(title),
  });
  const typed = text.trim().toLowerCase();
  const verbs = actions.filter((each) => verbOf(each).startsWith(typed) && each !== action && usage === undefined);
  const items: readonly Item[] = [
    ...(action
      ? [{ icon: 'send', hint: text.trim(), title: action.says(values), run: () => act(action, values) } as const]
      : []),
    ...completions.map((each) => complete(each, '')),
    ...(typed === '' ? listPages() : []),
    ...verbs.map((each) => complete(`${verbOf(each)} `, each.usage)),
    ...found.items,
  ];
  return { items, problem, usage, isComplete: action !== undefined || found.isComplete };
}

function Search() {
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const change = (next: string) => {
    setText(next);
    input.current?.focus();
    setIndex(0);
    setAwaited(false);
    setFailure(undefined);
  };
  const [isAwaited, setAwaited] = useState(false);
  const [failure, setFailure] = useState<Error | undefined>(undefined);
  const isBusy = useRef(false);
  const { items, problem, usage, isComplete } = useItems(text, change);
  const current = Math.min(index, items.length - 1);
  // After the dialog has opened, which focuses its first button.
  useLayoutEffect(() => input.current?.focus(), []);
  useEffect(() => list.current?.children[current]?.scrollIntoView({ block: 'nearest' }), [current]);
  const run = async (item: Item | undefined) => {
    if (!item || isBusy.current) return;
    isBusy.current = true;
    try {
      const done = item.run();
      // What the emulator refuses stays, with the reason.
      if (done instanceof Promise) await done;
      if (item.completes !== true && input.current) close();
    } catch (error) {
      if (input.current) setFailure(toControlError(error));
      else toast(toControlError(error).message, 'error');
    }
    isBusy.current = false;
  };
  // Enter may come before the records are found.
  useEffect(() => {
    if (isAwaited && isComplete) void run(items[current]);
  }, [isAwaited, isComplete]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposed(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const completion = event.shiftKey ? undefined : items.find(({ completes }) => completes);
    if (step !== undefined) setIndex((current + step + items.length) % Math.max(1, items.length));
    else if (event.key === 'Enter' && !isComplete) setAwaited(true);
    else if (event.key === 'Enter') void run(items[current]);
    else if (event.key === 'Tab' && completion) void run(completion);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Find or do" onClose={close}>
      <input
        ref={input}
        class="palette-input"
        type="search"
        aria-label="Id, name, page or action"
        placeholder="ada/report, r17, 404, or: fail next 3"
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => change(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <ul class="palette-items" aria-label="Found" ref={list}>
        {items.map((item, i) => (
          <li key={`${item.hint} ${item.title} ${i}`}>
            <button type="button" aria-current={i === current} onClick={() => void run(item)}>
              <Icon name={item.icon} />
              <span class="truncate">{item.title}</span>
              <span class="muted truncate">{item.hint}</span>
            </button>
          </li>
        ))}
      </ul>
      {failure && <ErrorMessage error={failure} />}
      <div role="status" class="muted">
        {problem !== undefined && <p>{problem}</p>}
        {usage !== undefined && (
          <p>
            <code>{usage}</code>
          </p>
        )}
        {items.length === 0 && usage === undefined && <p>Nothing has this name or id, and no action begins so.</p>}
      </div>
    </Dialog>
  );
}
