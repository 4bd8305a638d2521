import { useState } from 'preact/hooks';
import { quote } from '../../../../src/engine/make-test/literal.js';
import { base } from '../../lib/api.js';
import { hasVals } from '../../lib/collections.js';
import { formatNumber } from '../../lib/format.js';
import { toCurl } from '../../lib/snippets.js';
import type { EmulatorUser } from '../../lib/types.js';
import { callerId, findCaller, nameOfUser, searchUsers } from '../../lib/users.js';
import { Code, type Language } from '../../ui/code.js';
import { CopyButton, Empty, Panel, Properties, Tabs } from '../../ui/elements.js';

/** More users than this get a search. */
const MANY = 8;
/** Users that are listed at once. */
const LISTED = 100;

/** Who one can be: the users with their tokens, of which one is chosen. */
export function UsersPanel({ users }: { readonly users: readonly EmulatorUser[] }) {
  const [text, setText] = useState('');
  // The newest first, as everywhere.
  const found = searchUsers(users, text).toReversed();
  const chosen = findCaller(users);
  return (
    <Panel title="Users and tokens" actions={<span class="muted">{formatNumber(users.length)}</span>}>
      {users.length > MANY && (
        <div class="list-search">
          <input
            type="search"
            aria-label="Search users"
            placeholder="Search by name, id or token"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </div>
      )}
      {found.length === 0 ? (
        <Empty title={users.length === 0 ? 'There are no users' : 'No user matches'}>
          <p>{users.length === 0 ? 'Add one under Data.' : 'Search for another name, id or token.'}</p>
        </Empty>
      ) : (
        <fieldset class="users">
          <legend class="visually-hidden">User of the examples</legend>
          {found.slice(0, LISTED).map((user) => (
            <UserRow key={user.id} user={user} isChosen={user.id === chosen?.id} />
          ))}
        </fieldset>
      )}
      {found.length > LISTED && (
        <p class="list-rest muted">{formatNumber(found.length - LISTED)} more: search for them.</p>
      )}
    </Panel>
  );
}

const UserRow = ({ user, isChosen }: { readonly user: EmulatorUser; readonly isChosen: boolean }) => (
  <div class={isChosen ? 'user chosen' : 'user'}>
    <label>
      <input
        type="radio"
        name="user"
        checked={isChosen}
        onChange={() => {
          callerId.value = user.id;
        }}
      />
      <span class="truncate">{nameOfUser(user)}</span>
    </label>
    <code class="truncate muted" title={user.token}>
      {user.token}
    </code>
    <CopyButton text={user.token} label={`Copy the token of ${nameOfUser(user)}`} />
  </div>
);

type Tool = 'curl' | 'env' | 'sdk' | 'fetch';
/** The tools of one service. */
const OF_VALS: readonly Tool[] = ['env', 'sdk'];

const TOOLS: readonly { readonly id: Tool; readonly title: string }[] = [
  { id: 'curl', title: 'curl' },
  { id: 'env', title: '.env' },
  { id: 'sdk', title: 'SDK' },
  { id: 'fetch', title: 'fetch' },
];

const SNIPPETS: Readonly<
  Record<
    Tool,
    { readonly language: Language; readonly hint: string; readonly write: (token: string, path: string) => string }
  >
> = {
  curl: {
    language: 'bash',
    hint: 'Sends a request as the user.',
    write: (token, path) => toCurl({ method: 'GET', path, headers: { Authorization: `Bearer ${token}` } }, base),
  },
  env: {
    language: 'bash',
    hint: 'The variables that version 1 of the official SDK reads.',
    write: (token) => `VAL_TOWN_BASE_URL=${base}\nVAL_TOWN_API_KEY=${token}`,
  },
  sdk: {
    language: 'tsx',
    hint: 'Version 1 of the official SDK.',
    write: (token) =>
      [
        "import ValTown from '@valtown/sdk';",
        '',
        'const client = new ValTown({',
        `  baseURL: ${quote(base)},`,
        `  bearerToken: ${quote(token)},`,
        '});',
        'console.log(await client.me.profile.retrieve());',
      ].join('\n'),
  },
  fetch: {
    language: 'tsx',
    hint: 'Any program that sends HTTP requests.',
    write: (token, path) =>
      [
        `const response = await fetch(${quote(base + path)}, {`,
        `  headers: { Authorization: ${quote(`Bearer ${token}`)} },`,
        '});',
        'console.log(await response.json());',
      ].join('\n'),
  },
};

const Copyable = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <span class="copyable">
    <code>{text}</code>
    <CopyButton text={text} label={label} />
  </span>
);

/** How a program becomes the chosen user. */
export function UsePanel({ users, path }: { readonly users: readonly EmulatorUser[]; readonly path: string }) {
  const [tool, setTool] = useState<Tool>('curl');
  const user = findCaller(users);
  const { language, hint, write } = SNIPPETS[tool];
  return (
    <Panel
      title={user ? `Use it as ${nameOfUser(user)}` : 'Use it'}
      actions={
        <Tabs
          label="Tool"
          tabs={TOOLS.filter(({ id }) => hasVals.value || !OF_VALS.includes(id))}
          selected={tool}
          onSelect={setTool}
        />
      }
    >
      <div class="panel-body stack">
        {user ? (
          <>
            <Properties
              items={{
                'Base URL': <Copyable text={base} label="Copy the base URL" />,
                Token: <Copyable text={user.token} label="Copy the token" />,
              }}
            />
            <p class="muted">{hint}</p>
            <Code text={write(user.token, path)} language={language} />
          </>
        ) : (
          <p class="muted">Choose a user to see how a program uses the token.</p>
        )}
      </div>
    </Panel>
  );
}
