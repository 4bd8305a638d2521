import { forms } from './forms.js';
import type { Theme } from './template.js';

export const site: Theme = {
  name: 'site',
  bios: [
    'My homepage is a val.',
    'Small web, big fonts.',
    'Designer in %place% who learned just enough TypeScript.',
    'Handmade pages, no framework (except when there is one).',
    'I bring back guestbooks.',
  ],
  templates: [
    ...forms,
    {
      type: 'http',
      names: ['home', 'homepage', 'index', 'site', 'me', 'www'],
      uses: ['counter'],
      params: {
        accent: '@colour',
        font: '@font',
        hello: 'Hi, I am %user%.|Hello, %user% here.|%user%|Welcome.',
        about:
          'I make small things for the web.|I live in %place% and write code.|Mostly maps, sometimes bread.|Available for odd jobs.',
        place: '@place',
      },
      tweaks: ['accent', 'about', 'font', 'hello'],
      stages: 3,
      popularity: 1.5,
      code: `
       |/** @jsxImportSource npm:react@18 */
       |import { renderToString } from "npm:react-dom@18/server";
  counter 2+|import { %counter% } from "%counter.url%";
       |
     1+|const links = {
     1+|  GitHub: "https://github.com/%user%",
     3+|  Notes: "https://%user%.example.com/notes",
     1+|  Email: "mailto:%user%@example.com",
     1+|};
     1+|
       |%onHttp%
  counter 2+|  const visits = await %counter%("%self%");
       |  const html = renderToString(
       |    <html lang="en">
       |      <head>
       |        <title>%user%</title>
       |        <meta name="viewport" content="width=device-width" />
       |      </head>
       |      <body style={{ fontFamily: "%font%", maxWidth: 600, margin: "4rem auto" }}>
       |        <h1 style={{ color: "%accent%" }}>%hello%</h1>
       |        <p>%about%</p>
     1+|        <ul>
  !bug 1+|          {Object.entries(links).map(([name, url]) => (
   bug 1+|          {(links as any).map(([name, url]) => (
     1+|            <li key={name}>
     1+|              <a href={url}>{name}</a>
     1+|            </li>
     1+|          ))}
     1+|        </ul>
  counter 2+|        <small>visitor {visits}</small>
       |      </body>
       |    </html>,
       |  );
       |  return new Response("<!doctype html>" + html, { headers: { "content-type": "text/html" } });
       |%end%
      `,
      readme: `
      |My homepage. Fork it, change the name, done.
      `,
      bug: { from: 1, error: 'TypeError: links.map is not a function' },
      runs: [{ params: { p: '@path' }, ms: '12..90', args: [{ method: 'GET', url: '%p%' }] }],
      praise: ['Love the colour.', 'A homepage that fits on one screen, code included.', 'Forked, thank you!'],
    },
    {
      type: 'http',
      names: ['short', 'links', 'go', 'shortener', 'linkShortener'],
      needs: ['blob'],
      uses: ['auth'],
      params: { length: '4..7', prefix: 'go|link|s' },
      tweaks: ['length'],
      stages: 2,
      popularity: 1.4,
      code: `
       |import { %blob% } from "%blob.url%";
  auth 2+|import { %auth% } from "%auth.url%";
       |
       |const key = (id: string) => ~%prefix%:#{id}~;
       |
       |async function handle(%req%: Request): Promise<Response> {
  !bug |  const url = new URL(%req%.url);
   bug |  const url = new URL(%req%.headers.get("x-forwarded-url"));
       |  if (%req%.method === "POST") {
       |    const { target } = await %req%.json();
     1+|    if (!URL.canParse(target)) return new Response("That is no URL", { status: 400 });
       |    const id = crypto.randomUUID().slice(0, %length%);
       |    await %blob%.setJSON(key(id), { target });
       |    return Response.json({ short: ~#{url.origin}/#{id}~ });
       |  }
       |  const found = await %blob%.getJSON(key(url.pathname.slice(1)));
       |  if (!found) return new Response("No such link", { status: 404 });
       |  return Response.redirect(found.target, 302);
       |}
       |
  auth 2+|const guarded = %auth%(handle);
  auth 2+|
  auth 2+|export default (%req%: Request) => (%req%.method === "POST" ? guarded(%req%) : handle(%req%));
 !auth 2+|export default handle;
     <2|export default handle;
      `,
      readme: `
      |# %self%
      |
      |~~~sh
      |curl -d '{"target": "https://example.com/a/very/long/address"}' https://%user%-%self-%.web.val.run
      |~~~
      |
      |Ids have %length% characters, which is plenty for one person.
      `,
      bug: { error: "TypeError: Invalid URL: 'null'" },
      runs: [
        { params: { n: '1000..9999' }, ms: '60..190', args: [{ method: 'GET', url: '/%n%' }] },
        {
          params: { n: '1000..9999' },
          ms: '90..260',
          args: [{ method: 'POST', url: '/' }],
          returns: { short: 'https://example.com/%n%' },
        },
      ],
      praise: ['On our posters since spring, and not a single broken link.'],
      wishes: [
        {
          stage: 2,
          wish: 'Can everybody create links with this?',
          reply: 'They could. There is a password on version %version%.',
        },
      ],
    },
  ],
};
