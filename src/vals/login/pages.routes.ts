import { RouteResponse } from '#engine/api/route-response.js';
import { HTML } from '#engine/lib/json.js';
import type { TokenScope } from '#vals/users/scopes.collection.js';
import { getHandle, type User } from '#vals/users/users.collection.js';
import type { Client } from './clients.collection.js';

const toHtmlText = (text: string): string => text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);

/** No page of others shows it, and it runs no script. Its forms may lead to any address, as a login does. */
const HEADERS = {
  'content-type': HTML,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
} as const;

const STYLE = [
  ':root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }',
  'body { max-width: 28rem; margin: 2rem auto; padding: 0 1rem; }',
  'fieldset { border: 1px solid; border-radius: .5rem; margin: 1rem 0; padding: .5rem 1rem; }',
  'label { display: block; }',
  'button, input[type=text] { font: inherit; padding: .5rem 1rem; margin: .25rem .25rem .25rem 0; min-height: 2.75rem; }',
  'button.selected { font-weight: bold; }',
].join('\n');

function toPage(title: string, content: string, status = 200): RouteResponse {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${toHtmlText(title)}</title>`;
  const body = `<main><h1>${toHtmlText(title)}</h1>\n${content}\n</main>`;
  const text = `<!doctype html>\n<html lang="en"><head>${head}<style>${STYLE}</style></head>\n<body>${body}</body></html>\n`;
  return new RouteResponse(status, HEADERS, text);
}

/** What each scope allows, in words. */
const MEANINGS: Readonly<Partial<Record<TokenScope, string>>> = {
  user_r: 'Read your profile',
  project_rw: 'Read and change your vals',
  blob_rw: 'Read and change your blobs',
  sqlite_rw: 'Read and change your databases',
  email_rw: 'Send emails as you',
  telemetry_r: 'Read logs and traces of your vals',
  val_r: 'Read your vals of version 1',
  val_rw: 'Read and change your vals of version 1',
  openid: 'Know who you are',
  profile: 'Know your username',
  email: 'Know your email address',
  offline_access: 'Stay logged in for 90 days',
};

/** Users for whom a page has buttons. Others are typed. */
const MOST_BUTTONS = 20;

interface Question {
  readonly client: Client;
  /** Where the login leads: a host, or a device. */
  readonly place: string;
  readonly scopes: readonly TokenScope[];
  readonly users: Iterable<User>;
  readonly hint?: string | undefined;
  /** Further fields of the form. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Makes the page that asks who logs in, and what the client may do. */
export function askUser({ client, place, scopes, users, hint, fields = {} }: Question): RouteResponse {
  const name = client.client_name ?? client.client_id;
  const boxes = scopes.map(
    (scope) =>
      `<label><input type="checkbox" name="scope" value="${scope}" checked> ${toHtmlText(MEANINGS[scope] ?? scope)} <code>${scope}</code></label>`,
  );
  const handles = [...take(users, MOST_BUTTONS + 1)].map(getHandle);
  const buttons = handles.slice(0, MOST_BUTTONS).map((handle) => {
    const selected = handle.toLowerCase() === hint?.toLowerCase() ? ' class="selected" autofocus' : '';
    return `<button name="user" value="${toHtmlText(handle)}"${selected}>Log in as ${toHtmlText(handle)}</button>`;
  });
  const others =
    handles.length > MOST_BUTTONS
      ? '<label>Another user <input type="text" name="other"></label><button>Log in as this user</button>'
      : '';
  const hidden = Object.entries(fields).map(
    ([key, value]) => `<input type="hidden" name="${key}" value="${toHtmlText(value)}">`,
  );
  return toPage(
    `Log in to ${name}`,
    [
      `<p><strong>${toHtmlText(name)}</strong> (${toHtmlText(place)}) wants to act for a user of this emulator.</p>`,
      `<form method="post">${hidden.join('')}`,
      `<fieldset><legend>It may</legend>${boxes.join('\n')}</fieldset>`,
      `<p>${buttons.join('\n')}</p>${others}`,
      '<p><button name="deny" value="1">Deny</button></p></form>',
    ].join('\n'),
  );
}

function* take<T>(items: Iterable<T>, count: number): Generator<T> {
  let left = count;
  for (const item of items) {
    if (left-- <= 0) return;
    yield item;
  }
}

/** Makes the page that asks for the code that a device shows. @param problem with the code before */
export const askForCode = (problem?: string): RouteResponse =>
  toPage(
    'Log in to a device',
    `${problem === undefined ? '' : `<p role="alert">${toHtmlText(problem)}</p>`}<form><label>The code that the device shows <input type="text" name="user_code" required autofocus autocomplete="off" autocapitalize="characters"></label> <button>Continue</button></form>`,
    problem === undefined ? 200 : 400,
  );

export const showEnd = (title: string, sentence: string, status = 200): RouteResponse =>
  toPage(title, `<p>${toHtmlText(sentence)}</p>`, status);
