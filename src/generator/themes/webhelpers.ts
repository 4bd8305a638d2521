import type { Template } from './template.js';

/** Importable helpers for HTTP vals. */
export const webHelpers: readonly Template[] = [
  {
    type: 'script',
    provides: 'auth',
    names: ['basicAuth', 'password', 'withPassword', 'protect', 'onlyMe'],
    params: { realm: 'vals|private|members|keep out', env: 'PASSWORD|BASIC_AUTH|SECRET' },
    tweaks: ['realm'],
    stages: 2,
    popularity: 3,
    code: `
       |type Handler = (request: Request) => Response | Promise<Response>;
       |
     1+|/** Asks for a password before the handler sees anything. */
       |export function %self%(handler: Handler): Handler {
       |  return (request) => {
       |    const [scheme, value = ""] = (request.headers.get("authorization") ?? "").split(" ");
  !bug |    const [, password] = scheme === "Basic" ? atob(value).split(":") : [];
   bug |    const [, password] = atob(scheme).split(":");
     2+|    const expected = Deno.env.get("%env%");
     2+|    if (!expected) throw new Error("Set %env% in your environment variables first");
     2+|    if (password === expected) return handler(request);
     <2|    if (password === Deno.env.get("%env%")) return handler(request);
       |    return new Response("Who are you?\\n", {
       |      status: 401,
       |      headers: { "www-authenticate": 'Basic realm="%realm%"' },
       |    });
       |  };
       |}
    `,
    readme: `
      |# %self%
      |
      |Put it around the handler of an HTTP val:
      |
      |~~~ts
      |import { %self% } from "https://esm.town/v/%user%/%self%";
      |
      |export default %self%((request) => new Response("secret"));
      |~~~
      |
      |The password is the environment variable ~%env%~; the user name does not matter.
    `,
    bug: { error: 'InvalidCharacterError: Failed to decode base64' },
    runs: [{ ms: '1..4' }],
    praise: ['One line and my admin page is mine again.', 'Works with `curl -u`, too.'],
    wishes: [
      {
        stage: 2,
        wish: 'If the variable is missing, *no password at all* gets in?',
        reply: 'Ouch, it did. Version %version% refuses to start without it.',
      },
    ],
  },
  {
    type: 'script',
    provides: 'escapeHtml',
    names: ['escapeHtml', 'escapeHTML', 'safe', 'esc', 'htmlEscape'],
    stages: 1,
    popularity: 2,
    code: `
       |const ENTITIES: Record<string, string> = {
       |  "&": "&amp;",
       |  "<": "&lt;",
       |  ">": "&gt;",
     1+|  '"': "&quot;",
     1+|  "'": "&#39;",
       |};
       |
       |export function %self%(text: unknown): string {
  !bug <1|  return String(text).replace(/[&<>]/g, (sign) => ENTITIES[sign]);
  !bug 1+|  return String(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign]);
   bug |  return (text as any).replaceAll(/[&<>]/g, (sign: string) => ENTITIES[sign]);
       |}
    `,
    readme: `
      |Escapes text for HTML.
     1+|Quotes as well, so attributes are safe.
      |
      |~~~ts
      |%self%("<b>") // &lt;b&gt;
      |~~~
    `,
    bug: { error: 'TypeError: text.replaceAll is not a function' },
    runs: [
      { ms: '1..2', args: ['<b>'], returns: '&lt;b&gt;' },
      { ms: '1..2', args: ['Tom & Jerry'], returns: 'Tom &amp; Jerry' },
    ],
    praise: ['Everybody who writes a guestbook needs this. *Everybody.*'],
    wishes: [{ stage: 1, wish: 'What about quotes in attributes?', reply: 'Escaped since version %version%.' }],
  },
  {
    type: 'script',
    provides: 'page',
    names: ['page', 'htmlPage', 'layout', 'simplePage', 'html'],
    params: { font: '@font', accent: '@colour', width: '30..48*2' },
    tweaks: ['accent', 'font', 'width'],
    uses: ['escapeHtml'],
    stages: 3,
    popularity: 2.5,
    code: `
  escapeHtml|import { %escapeHtml% } from "%escapeHtml.url%";
  escapeHtml|
       |const css = ~
       |  body { font-family: %font%; max-width: %width%rem; margin: 2rem auto; padding: 0 1rem; }
       |  a { color: %accent%; }
     2+|  @media (prefers-color-scheme: dark) { body { background: #111; color: #eee; } }
       |~;
       |
  chatty|/** A whole page around some HTML. */
       |export function %self%(title: string, body: string): Response {
  !bug escapeHtml|  const name = %escapeHtml%(title);
  !bug !escapeHtml|  const name = title.replaceAll("<", "&lt;");
   bug |  const name = (title as any).text();
       |  const html = ~<!doctype html>
       |<html lang="en">
       |  <head>
       |    <title>#{name}</title>
     1+|    <meta name="viewport" content="width=device-width, initial-scale=1" />
     3+|    <link rel="icon" href="data:," />
       |    <style>#{css}</style>
       |  </head>
       |  <body>#{body}</body>
       |</html>~;
       |  return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
       |}
    `,
    readme: `
      |# %self%
      |
      |HTML around your HTML: a title, a font, a sensible width.
      |
      |~~~ts
      |export default () => %self%("Hello", "<h1>Hello</h1>");
      |~~~
    `,
    bug: { error: 'TypeError: title.text is not a function' },
    runs: [{ ms: '1..6' }],
    praise: ['My pages look like pages now.', 'The width is just right.'],
    wishes: [
      { stage: 2, wish: 'Dark mode, please! I browse at night.', reply: 'Version %version% follows your system.' },
    ],
  },
  {
    type: 'script',
    provides: 'counter',
    names: ['counter', 'increment', 'countUp', 'tally', 'bump'],
    needs: ['sqlite'],
    params: { table: 'counters|hits|tallies' },
    stages: 1,
    popularity: 1.5,
    code: `
       |import { %sqlite% } from "%sqlite.url%";
       |
     1+|await %sqlite%.execute("create table if not exists %table% (name text primary key, count integer)");
     1+|
       |/** One more for this name; returns the new count. */
       |export async function %self%(name: string): Promise<number> {
       |  const { rows } = await %sqlite%.execute({
  !bug |    sql: ~insert into %table% values (?, 1) on conflict do update set count = count + 1 returning count~,
   bug |    sql: ~insert into %table% values (?, 1) on conflict set count = count + 1 returning count~,
       |    args: [name],
       |  });
       |  return Number(rows[0][0]);
       |}
    `,
    readme: `
      |~~~ts
      |const visits = await %self%("home");
      |~~~
      |
      |One row per name in the table ~%table%~ of your own database.
    `,
    bug: { error: 'SQLITE_ERROR: near "set": syntax error' },
    errors: ['SQLITE_BUSY: database is locked'],
    runs: [{ params: { count: '12..4800' }, ms: '40..130', args: ['home'], returns: '%count%' }],
    praise: ['A hit counter, like in 1998. I love it.'],
    wishes: [
      {
        stage: 1,
        wish: 'First run fails with "no such table".',
        reply: 'It creates the table itself since version %version%.',
      },
    ],
  },
];
