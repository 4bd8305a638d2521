import type { Theme } from './template.js';

export const notes: Theme = {
  name: 'notes',
  bios: [
    'Notes to self, at scale.',
    'My second brain is a table with three columns.',
    'Plain text, plain mail, plain vals.',
    'Writer in %place%. I automate everything but the writing.',
  ],
  templates: [
    {
      type: 'email',
      names: ['inbox', 'noteToSelf', 'notesByMail', 'capture', 'mailNotes'],
      needs: ['sqlite'],
      params: { table: 'notes|inbox|thoughts|ideas', owner: '%user%@example.com' },
      stages: 2,
      popularity: 1.3,
      code: `
       |import { %sqlite% } from "%sqlite.url%";
       |
     2+|const OWNER = "%owner%";
     2+|
       |%onEmail%
     2+|  if (!%mail%.from.includes(OWNER)) return "not mine";
     1+|  if (!%mail%.subject) throw new Error(~a note needs a subject (mail from #{%mail%.from})~);
       |  await %sqlite%.execute({
       |    sql: "insert into %table% (title, body) values (?, ?)",
  !bug |    args: [%mail%.subject, %mail%.text ?? ""],
   bug |    args: [%mail%.subject.trim(), %mail%.html.trim()],
       |  });
       |  return %mail%.subject;
       |%end%
      `,
      readme: `
      |# %self%
      |
      |Every val of the type *email* has an address. Mine is in my contacts as "Me", and whatever I send there becomes a row in ~%table%~.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'trim')" },
      errors: ['a note needs a subject (mail from %owner%)', 'SQLITE_ERROR: too many SQL variables'],
      runs: [{ params: { s: '@subject' }, ms: '60..260', args: [{ from: '%owner%', subject: '%s%' }], returns: '%s%' }],
      praise: ['"Me" is now my most frequent contact.', 'So simple that I was angry.'],
      wishes: [
        {
          stage: 2,
          wish: 'Could I write into your notes if I guessed the address?',
          reply: 'You could have. Version %version% looks at the sender.',
        },
      ],
    },
    {
      type: 'http',
      names: ['searchNotes', 'notes', 'find', 'myNotes', 'garden'],
      needs: ['sqlite', 'auth'],
      uses: ['escapeHtml'],
      params: { table: 'notes|thoughts|ideas', limit: '20..100*20' },
      tweaks: ['limit'],
      stages: 2,
      code: `
       |import { %sqlite% } from "%sqlite.url%";
       |import { %auth% } from "%auth.url%";
  escapeHtml 1+|import { %escapeHtml% } from "%escapeHtml.url%";
       |
       |export default %auth%(async (%req%: Request) => {
       |  const query = new URL(%req%.url).searchParams.get("q") ?? "";
       |  const { rows } = await %sqlite%.execute({
  !bug <2|    sql: "select title, body from %table% where body like ? limit %limit%",
  !bug 2+|    sql: "select title, body from %table% where title || body like ? order by rowid desc limit %limit%",
   bug |    sql: "select title, body from %table% where match(body, ?) limit %limit%",
       |    args: [~%#{query}%~],
       |  });
  escapeHtml 1+|  const list = rows.map(([title, body]) => ~<h2>#{%escapeHtml%(title)}</h2><p>#{%escapeHtml%(body)}</p>~);
 !escapeHtml 1+|  const list = rows.map(([title, body]) => ~<h2>#{title}</h2><pre>#{body}</pre>~);
     <1|  const list = rows.map(([title, body]) => ~<h2>#{title}</h2><p>#{body}</p>~);
       |  return new Response(list.join("") || "Nothing.", {
       |    headers: { "content-type": "text/html; charset=utf-8" },
       |  });
       |});
      `,
      readme: `
      |Full text search, in the sense that there is text and it is searched.
      `,
      bug: { error: 'SQLITE_ERROR: no such function: match' },
      runs: [{ params: { q: '@query' }, ms: '50..240', args: [{ method: 'GET', url: '/?q=%q-%' }] }],
      praise: ['The readme is all I need to know.'],
    },
    {
      type: 'interval',
      names: ['onThisDay', 'randomNote', 'rememberThis', 'oldNote', 'resurface'],
      needs: ['sqlite', 'email'],
      params: { table: 'notes|thoughts|ideas', hello: 'Remember this?|From the archive|You once wrote|An old note' },
      tweaks: ['hello'],
      stages: 1,
      every: ['1d', '7d'],
      code: `
       |import { %sqlite% } from "%sqlite.url%";
       |import { %email% } from "%email.url%";
       |
       |%onInterval%
       |  const { rows } = await %sqlite%.execute("select title, body from %table% order by random() limit 1");
     1+|  if (rows.length === 0) return;
  !bug |  const [title, body] = rows[0];
   bug |  const { title, body } = (rows as any).first.columns;
       |  await %email%({ subject: ~%hello%: #{title}~, text: body });
       |  return title;
       |%end%
      `,
      readme: `
      |Mails me one of my own notes, so that I read them at all.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'columns')" },
      runs: [{ params: { s: '@subject' }, ms: '180..640', returns: '%s%', emails: [{ subject: '%hello%: %s%' }] }],
      praise: ['I disagree with myself from last year.'],
    },
    {
      type: 'http',
      names: ['markdownPage', 'blog', 'renderMarkdown', 'weblog', 'tinyBlog'],
      needs: ['blob'],
      uses: ['page', 'formatDate', 'slugify'],
      params: {
        title: 'Notes from %place%|%user%, in writing|Small thoughts|Margins',
        place: '@place',
        accent: '@colour',
      },
      tweaks: ['title', 'accent'],
      stages: 3,
      popularity: 1.6,
      code: `
       |import { marked } from "npm:marked@14";
       |import { %blob% } from "%blob.url%";
  page 1+|import { %page% } from "%page.url%";
  formatDate 2+|import { %formatDate% } from "%formatDate.url%";
  slugify 2+|import { %slugify% } from "%slugify.url%";
       |
       |interface Post {
       |  title: string;
       |  text: string;
       |  date: string;
       |}
       |
       |%onHttp%
  !bug |  const posts: Post[] = (await %blob%.getJSON("posts")) ?? [];
   bug |  const posts: Post[] = (await %blob%.getJSON("posts")).entries.toReversed();
     3+|  if (new URL(%req%.url).pathname === "/feed.json") return Response.json({ title: "%title%", items: posts });
       |  const articles = await Promise.all(
       |    posts.map(async ({ title, text, date }) => {
       |      const html = await marked.parse(text);
  slugify 2+|      const id = %slugify%(title);
 !slugify 2+|      const id = encodeURIComponent(title);
  formatDate 2+|      return ~<article id="#{id}"><h2>#{title}</h2><time>#{%formatDate%(date)}</time>#{html}</article>~;
 !formatDate 2+|      return ~<article id="#{id}"><h2>#{title}</h2><time>#{date}</time>#{html}</article>~;
     <2|      return ~<article><h2>#{title}</h2>#{html}</article>~;
       |    }),
       |  );
     1+|  articles.unshift('<h1 style="color: %accent%">%title%</h1>');
  page 1+|  return %page%("%title%", articles.join("<hr>"));
 !page 1+|  return new Response(articles.join("<hr>"), { headers: { "content-type": "text/html; charset=utf-8" } });
     <1|  return new Response(articles.join("<hr>"), { headers: { "content-type": "text/html" } });
       |%end%
      `,
      readme: `
      |# %title%
      |
      |A blog in one val. Posts are JSON in a blob:
      |
      |~~~json
      |[{ "title": "Hello", "text": "*It works.*", "date": "today" }]
      |~~~
     3+|
     3+|Subscribe: ~/feed.json~
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'toReversed')" },
      runs: [
        { params: { p: '@path' }, ms: '60..320', args: [{ method: 'GET', url: '%p%' }] },
        { when: '3+', ms: '40..180', args: [{ method: 'GET', url: '/feed.json' }] },
      ],
      praise: ['Moved my blog over on the train.', 'The whole engine is shorter than my last post.'],
      wishes: [{ stage: 3, wish: 'Where do I subscribe?', reply: '`/feed.json`, as of version %version%.' }],
    },
  ],
};
