import { signal } from '@preact/signals';
import { base, control } from '../../lib/api.js';
import { requests, revisions } from '../../lib/live.js';
import { at } from '../../lib/location.js';
import type { RequestSummary } from '../../lib/types.js';
import { useUsers } from '../../lib/users.js';
import { ActionButton, Button } from '../../ui/elements.js';

/** Users for whom there are buttons. The page of the login finds others. */
const MOST_BUTTONS = 20;

/** Where the logins lead that were decided here, by the id of each request. Empty for one that is closed. */
const decided = signal<ReadonlyMap<string, string>>(new Map());
const decide = (key: string, url: string) => {
  decided.value = new Map([...decided.value, [key, url]]);
};

/** Finds the login of the last request for its page, unless a user has decided on that page. */
function findLogin(): RequestSummary | undefined {
  const last = requests.value.findLast(({ route }) => route?.endsWith(' /oauth/auth'));
  return last?.method === 'GET' && last.status === 200 ? last : undefined;
}

const readHost = (address: string | null): string =>
  address !== null && URL.canParse(address) ? new URL(address).host || address : 'an unknown address';

/** Asks who logs in, when a client waits for that: the same as the page to which the client has led its user. */
export function WaitingLogin() {
  const login = findLogin();
  const { data: users = [] } = useUsers();
  if (login === undefined || at.value !== undefined) return null;
  const address = base + login.path;
  // After a reset the id stands for another request.
  const key = `${revisions.lists.value} ${login.id}`;
  const url = decided.value.get(key);
  const close = () => decide(key, '');
  const host = readHost(new URL(address).searchParams.get('redirect_uri'));
  const act = async (user: string, deny: boolean) => {
    const { url: next } = await control.login({ url: address, user, deny });
    decide(key, next ?? '');
  };
  const [first] = users;
  if (url === '') return null;
  return (
    <section class="login-bar" aria-label="Waiting login">
      {url === undefined ? (
        <>
          <span role="status">
            A client at {host} waits for a <a href={address}>login</a>.
          </span>
          {users.slice(0, MOST_BUTTONS).map(({ id, username }) => (
            <ActionButton key={id} action={() => act(id, false)}>
              Log in as {username ?? id}
            </ActionButton>
          ))}
          {first && (
            <ActionButton kind="plain" action={() => act(first.id, true)}>
              Deny
            </ActionButton>
          )}
        </>
      ) : (
        <span role="status">
          The login is decided.{' '}
          <a href={url} target="_blank" rel="noopener noreferrer" onClick={close}>
            Continue at {readHost(url)}
          </a>
        </span>
      )}
      <Button icon="close" kind="plain" label="Close" onClick={close} />
    </section>
  );
}
