import type { Template } from './template.js';

/** Pages with a form. */
export const forms: readonly Template[] = [
  {
    type: 'http',
    names: ['guestbook', 'guestBook', 'signHere', 'wall', 'visitors'],
    needs: ['sqlite'],
    uses: ['escapeHtml', 'page', 'rateLimit'],
    params: {
      title: 'Guestbook|Say hello|You were here|The wall',
      button: 'Sign|Post|Leave it here',
      max: '100..300*50',
    },
    tweaks: ['title', 'button', 'max'],
    stages: 3,
    popularity: 2.2,
    code: `
       |import { %sqlite% } from "%sqlite.url%";
  escapeHtml 1+|import { %escapeHtml% } from "%escapeHtml.url%";
  page 2+|import { %page% } from "%page.url%";
  rateLimit 3+|import { %rateLimit% } from "%rateLimit.url%";
       |
       |await %sqlite%.execute(~create table if not exists guests (
       |  name text, message text, time text default current_timestamp
       |)~);
       |
       |%onHttp%
       |  if (%req%.method === "POST") {
  rateLimit 3+|    if (!(await %rateLimit%("guests", 10))) return new Response("Too many guests", { status: 429 });
       |    const form = await %req%.formData();
       |    await %sqlite%.execute({
       |      sql: "insert into guests (name, message) values (?, ?)",
       |      args: [form.get("name"), String(form.get("message")).slice(0, %max%)],
       |    });
       |  }
  !bug |  const { rows } = await %sqlite%.execute("select name, message from guests order by time desc limit 50");
   bug |  const { rows } = await %sqlite%.execute("select name, message from guest order by time desc limit 50");
  escapeHtml 1+|  const entries = rows.map(([name, message]) => ~<li><b>#{%escapeHtml%(name)}</b> #{%escapeHtml%(message)}</li>~);
 !escapeHtml 1+|  const entries = rows.map(([name, message]) => ~<li><b>#{encodeURI(name)}</b> #{encodeURI(message)}</li>~);
     <1|  const entries = rows.map(([name, message]) => ~<li><b>#{name}</b> #{message}</li>~);
       |  const body = ~<h1>%title%</h1>
       |    <form method="post">
       |      <input name="name" placeholder="name" required>
       |      <input name="message" placeholder="message" maxlength="%max%" required>
       |      <button>%button%</button>
       |    </form>
       |    <ul>#{entries.join("")}</ul>~;
  page 2+|  return %page%("%title%", body);
 !page 2+|  return new Response(body, { headers: { "content-type": "text/html; charset=utf-8" } });
     <2|  return new Response(body, { headers: { "content-type": "text/html" } });
       |%end%
      `,
    readme: `
      |# %title%
      |
      |A guestbook. Leave a line!
      |
      |![a screenshot of the guestbook](data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20width='240'%20height='60'%3E%3Crect%20width='240'%20height='60'%20fill='%23eee'/%3E%3C/svg%3E)
      |
      |- at most %max% characters
     1+|- no HTML
     3+|- no bots
      `,
    bug: { error: 'SQLITE_ERROR: no such table: guest' },
    errors: ['SQLITE_BUSY: database is locked'],
    runs: [
      { params: { p: '@path' }, ms: '60..260', args: [{ method: 'GET', url: '%p%' }] },
      { ms: '60..260', args: [{ method: 'GET', url: '/' }] },
      {
        params: { who: '@person' },
        ms: '120..420',
        args: [{ method: 'POST', body: { name: '%who%', message: 'Hello from my phone' } }],
      },
    ],
    praise: ['Signed!', 'First guestbook that I signed since 2003.', 'I was here. Row 3.'],
    wishes: [
      {
        stage: 1,
        wish: 'I wrote `<marquee>` and, well… look at it.',
        reply: 'Beautiful. Fixed in version %version%, though.',
      },
      { stage: 3, wish: 'Somebody sells shoes in your guestbook.', reply: 'Not any more, since version %version%.' },
    ],
  },
  {
    type: 'http',
    names: ['contact', 'contactForm', 'sayHi', 'feedbackForm', 'writeMe'],
    needs: ['email'],
    uses: ['page'],
    params: { thanks: 'Thank you!|Got it.|Message sent|I will write back.', trap: 'website|phone|url' },
    tweaks: ['thanks'],
    stages: 2,
    code: `
       |import { %email% } from "%email.url%";
  page 1+|import { %page% } from "%page.url%";
       |
       |%onHttp%
  !bug |  if (%req%.method !== "POST") return new Response("POST a form here", { status: 405 });
   bug |  if ((%req% as any).methods.includes("GET")) return new Response("POST a form here", { status: 405 });
       |  const form = await %req%.formData();
     2+|  // Only robots fill this in.
     2+|  if (form.get("%trap%")) return new Response("%thanks%");
       |  await %email%({
       |    subject: ~Message from #{form.get("name")}~,
       |    text: String(form.get("message")),
       |  });
  page 1+|  return %page%("%thanks%", "<h1>%thanks%</h1>");
 !page 1+|  return new Response("%thanks%");
     <1|  return new Response("%thanks%");
       |%end%
      `,
    readme: `
      |The form on my site posts to this.
     2+|
     2+|The field ~%trap%~ is hidden; whoever fills it in is a robot.
      `,
    bug: { error: "TypeError: Cannot read properties of undefined (reading 'includes')" },
    errors: ['TypeError: Missing content type', 'TypeError: Body can not be decoded as form data'],
    runs: [
      {
        params: { who: '@person' },
        ms: '240..800',
        args: [{ method: 'POST', body: { name: '%who%' } }],
        emails: [{ subject: 'Message from %who%' }],
      },
      { ms: '1..4', args: [{ method: 'GET', url: '/' }], returns: 'POST a form here' },
    ],
    praise: ['No third-party form service. Wonderful.'],
    wishes: [
      {
        stage: 2,
        wish: 'How do you keep the spam out?',
        reply: 'With a hidden field, since version %version%. Robots love fields.',
      },
    ],
  },
];
