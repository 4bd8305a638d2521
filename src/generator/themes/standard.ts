import type { Template } from './template.js';

const API = `
       |const API = "https://api.val.town/v1";
       |
       |async function call(path: string, init: RequestInit = {}) {
       |  const response = await fetch(API + path, {
       |    ...init,
       |    headers: { Authorization: ~Bearer #{Deno.env.get("valtown")}~, ...init.headers },
       |  });
       |  if (!response.ok) throw new Error(~#{path}: #{response.status} #{await response.text()}~);
       |  return response;
       |}
`;

/** The standard library. */
export const standard: readonly Template[] = [
  {
    type: 'script',
    provides: 'blob',
    names: ['blob'],
    stages: 2,
    popularity: 30,
    code: `
       |/** Blobs of your account: text, JSON or bytes by key. */
       ${API.trim()}
       |
       |const path = (key: string) => ~/blob/#{encodeURIComponent(key)}~;
       |
       |async function get(key: string): Promise<Response> {
   bug |  return await call("/blob/" + key);
  !bug |  return await call(path(key));
       |}
       |
       |async function getJSON(key: string): Promise<any> {
     1+|  try {
     1+|    return await (await get(key)).json();
     1+|  } catch {
     1+|    return undefined;
     1+|  }
     <1|  return await (await get(key)).json();
       |}
       |
       |async function set(key: string, value: BodyInit): Promise<void> {
       |  await call(path(key), { method: "POST", body: value });
       |}
       |
       |async function setJSON(key: string, value: unknown): Promise<void> {
       |  await set(key, JSON.stringify(value));
       |}
       |
     2+|async function remove(key: string): Promise<void> {
     2+|  await call(path(key), { method: "DELETE" });
     2+|}
     2+|
       |async function list(prefix = ""): Promise<{ key: string; size: number }[]> {
       |  return await (await call(~/blob?prefix=#{encodeURIComponent(prefix)}~)).json();
       |}
       |
     <2|export const blob = { get, set, getJSON, setJSON, list };
     2+|export const blob = { get, set, getJSON, setJSON, list, delete: remove };
    `,
    readme: `
      |# Blob storage
      |
      |Keep text, JSON or bytes by key, private to your account.
      |
      |~~~ts
      |import { blob } from "https://esm.town/v/%user%/blob";
      |
      |await blob.setJSON("visits", { today: 3 });
      |const { today } = await blob.getJSON("visits");
      |~~~
      |
     1+|~getJSON~ gives ~undefined~ for a key that was never set.
    `,
    bug: { error: '/blob: 404 No such key' },
    runs: [{ ms: '60..240', returns: [{ key: 'visits', size: 24 }] }],
    praise: ['The easiest storage I ever used.', 'Half of my vals would not exist without `blob.setJSON`.'],
    wishes: [{ stage: 2, wish: 'How do I delete a key?', reply: 'With `blob.delete(key)`, since version %version%.' }],
  },
  {
    type: 'script',
    provides: 'sqlite',
    names: ['sqlite'],
    stages: 1,
    popularity: 22,
    code: `
       |/** SQLite for your account. Every val of yours shares one database. */
       ${API.trim()}
       |
       |export type Statement = string | { sql: string; args: unknown[] };
       |
       |async function execute(statement: Statement) {
       |  const response = await call("/sqlite/execute", {
       |    method: "POST",
   bug |    body: JSON.stringify(statement),
  !bug |    body: JSON.stringify({ statement }),
       |  });
       |  return (await response.json()) as { columns: string[]; rows: any[][]; rowsAffected: number };
       |}
       |
     1+|async function batch(statements: Statement[], mode = "deferred") {
     1+|  const response = await call("/sqlite/batch", {
     1+|    method: "POST",
     1+|    body: JSON.stringify({ statements, mode }),
     1+|  });
     1+|  return await response.json();
     1+|}
     1+|
     <1|export const sqlite = { execute };
     1+|export const sqlite = { execute, batch };
    `,
    readme: `
      |# SQLite
      |
      |A database for your vals, no setup.
      |
      |~~~ts
      |import { sqlite } from "https://esm.town/v/%user%/sqlite";
      |
      |await sqlite.execute("create table if not exists kv (key text primary key, value text)");
      |await sqlite.execute({ sql: "insert into kv values (?, ?)", args: ["a", "1"] });
      |~~~
    `,
    bug: { error: '/sqlite/execute: 400 body must have required property statement' },
    runs: [{ ms: '40..160', returns: { columns: ['1'], rows: [[1]] } }],
    praise: ['A database without a connection string. Finally.'],
    wishes: [
      {
        stage: 1,
        wish: 'Is there a way to run several statements at once?',
        reply: '`sqlite.batch`, new in version %version%.',
      },
    ],
  },
  {
    type: 'script',
    provides: 'email',
    names: ['email'],
    stages: 2,
    popularity: 18,
    code: `
       |/** Sends mail to yourself, or to anybody on the paid plan. */
       ${API.trim()}
       |
       |export interface Mail {
     1+|  to?: string | string[];
       |  subject?: string;
       |  text?: string;
       |  html?: string;
     2+|  attachments?: { filename: string; content: string }[];
       |}
       |
       |export async function email(mail: Mail): Promise<void> {
   bug |  await call("/mail", { method: "POST", body: JSON.stringify(mail) });
  !bug |  await call("/email", { method: "POST", body: JSON.stringify(mail) });
       |}
    `,
    readme: `
      |# email
      |
      |~~~ts
      |import { email } from "https://esm.town/v/%user%/email";
      |
      |await email({ subject: "It works", text: "Hello from a val" });
      |~~~
      |
      |Without ~to~ it goes to you.
    `,
    bug: { error: '/mail: 404 Route POST:/v1/mail not found' },
    runs: [{ ms: '150..600', emails: [{ subject: 'It works', text: 'Hello from a val' }] }],
    praise: ['Replaced a whole SMTP setup with this one line.'],
    wishes: [{ stage: 2, wish: 'Any chance of attachments?', reply: 'Attachments are in version %version%.' }],
  },
  {
    type: 'script',
    provides: 'openai',
    names: ['OpenAI'],
    stages: 1,
    popularity: 12,
    code: `
       |import { OpenAI as Original } from "npm:openai@4";
       |
       |/** The OpenAI client, without a key of your own. */
       |export class OpenAI extends Original {
       |  constructor(options: { timeout?: number } = {}) {
       |    super({
     1+|      ...options,
   bug |      baseURL: "https://openai.val.run",
  !bug |      baseURL: "https://std-openaiproxy.web.val.run/v1",
       |      apiKey: Deno.env.get("valtown"),
       |    });
       |  }
       |}
    `,
    readme: `
      |# OpenAI
      |
      |Chat completions without an API key, within reason.
      |
      |~~~ts
      |import { OpenAI } from "https://esm.town/v/%user%/OpenAI";
      |
      |const openai = new OpenAI();
      |~~~
    `,
    bug: { error: '404 status code (no body)' },
    runs: [{ ms: '300..900' }],
    praise: ['No key, no billing page. Bliss.'],
  },
];
