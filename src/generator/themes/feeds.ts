import type { Theme } from './template.js';

export const feeds: Theme = {
  name: 'feeds',
  bios: [
    'RSS never died.',
    'I read newsletters so that my friends do not have to.',
    'Editor by day, feed plumber by night.',
    'Following %feed% and 211 other feeds.',
  ],
  templates: [
    {
      type: 'interval',
      names: ['feedDigest', 'morningNews', '%Source%ByMail', 'dailyReading', '%Source%Digest'],
      needs: ['email', 'feed'],
      uses: ['formatDate'],
      params: { source: '@feed', count: '5..15*5', greeting: 'Good morning|Fresh links|Your reading for today|Hi' },
      tweaks: ['count', 'greeting'],
      stages: 2,
      every: ['1d', '1d', '7d'],
      code: `
       |import { %email% } from "%email.url%";
       |import { %feed% } from "%feed.url%";
  formatDate 1+|import { %formatDate% } from "%formatDate.url%";
       |
       |%onInterval%
  !bug |  const items = (await %feed%("%source.url%")).slice(0, %count%);
   bug |  const items = (await %feed%("%source.url%")).items.slice(0, %count%);
     2+|  if (items.length === 0) return console.log("nothing new");
     <1|  const lines = items.map(({ title, link }) => ~#{title}\\n#{link}~);
  formatDate 1+|  const lines = items.map(({ title, link, date }) => ~#{title} (#{%formatDate%(date)})\\n#{link}~);
 !formatDate 1+|  const lines = items.map(({ title, link, date }) => ~#{title} (#{date.slice(0, 10)})\\n#{link}~);
       |  await %email%({ subject: "%greeting%: %source%", text: lines.join("\\n\\n") });
       |%end%
      `,
      readme: `
      |# %self%
      |
      |%count% links from %source%, by mail, before breakfast. Fork it and put your own feed into the first line.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'slice')" },
      runs: [{ ms: '600..2800', emails: [{ subject: '%greeting%: %source%' }] }],
      praise: ['I stopped opening %source% by hand.', 'Arrives while the coffee is brewing.'],
      wishes: [
        { stage: 1, wish: 'Could the mail say how old each link is?', reply: 'Dates are in version %version%.' },
        {
          stage: 2,
          wish: 'On Sundays I get an empty mail. A bit sad.',
          reply: 'No news, no mail, as of version %version%.',
        },
      ],
    },
    {
      type: 'interval',
      names: ['%Keyword%Watch', 'hn%Keyword%', 'mentionsOf%Keyword%', 'hnAlert', 'watch%Keyword%'],
      needs: ['blob', 'chat'],
      uses: ['fetchJson'],
      params: { keyword: '@keyword', points: '5..50*5' },
      tweaks: ['points'],
      stages: 2,
      popularity: 1.5,
      upstream: 'hn.algolia.com',
      every: ['15m', '1h', '1h', '3h'],
      code: `
       |import { %blob% } from "%blob.url%";
       |import { %chat% } from "%chat.url%";
  fetchJson|import { %fetchJson% } from "%fetchJson.url%";
       |
       |const QUERY = "%keyword%";
       |
       |%onInterval%
       |  const last: number = (await %blob%.getJSON("%self%.last")) ?? 0;
       |  const url = ~https://hn.algolia.com/api/v1/search_by_date?tags=story&query=#{encodeURIComponent(QUERY)}~;
  fetchJson|  const { hits } = await %fetchJson%(url);
 !fetchJson|  const { hits } = await (await fetch(url)).json();
     <1|  const fresh = hits.filter((hit: any) => hit.created_at_i > last);
     1+|  const fresh = hits.filter((hit: any) => hit.created_at_i > last && hit.points >= %points%);
       |  for (const hit of fresh) {
  !bug |    await %chat%(~#{hit.title}\\nhttps://news.ycombinator.com/item?id=#{hit.objectID}~);
   bug |    await %chat%(~#{hit.story.title}\\nhttps://news.ycombinator.com/item?id=#{hit.objectID}~);
       |  }
     2+|  if (fresh.length === 0) return;
       |  await %blob%.setJSON("%self%.last", Math.max(last, ...hits.map((hit: any) => hit.created_at_i)));
     2+|  console.log(~#{fresh.length} new about #{QUERY}~);
       |%end%
      `,
      readme: `
      |# %self%
      |
      |Tells me when somebody writes about **%keyword%** on Hacker News.
     1+|Only stories with %points% points or more, the rest is noise.
      |
      |Uses the [Algolia API](https://hn.algolia.com/api).
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'title')" },
      runs: [
        { ms: '240..900' },
        { ms: '240..900' },
        { when: '2+', params: { n: '1..3' }, ms: '500..1900', logs: ['%n% new about %keyword%'] },
      ],
      praise: ['Found my favourite %keyword% article of the month with this.', 'Forked for another keyword, works.'],
      wishes: [
        {
          stage: 1,
          wish: 'Can it leave out stories that nobody voted for?',
          reply: 'From %points% points on, in version %version%.',
        },
      ],
    },
    {
      type: 'http',
      names: ['rssToJson', 'feedAsJson', 'feed2json', 'rssProxy', '%Source%Json'],
      needs: ['feed'],
      uses: ['cached'],
      params: { source: '@feed', minutes: '5..30*5' },
      tweaks: ['minutes'],
      stages: 2,
      popularity: 1.3,
      code: `
       |import { %feed% } from "%feed.url%";
  cached 1+|import { %cached% } from "%cached.url%";
       |
       |%onHttp%
     <2|  const url = "%source.url%";
     2+|  const url = new URL(%req%.url).searchParams.get("url") ?? "%source.url%";
  cached 1+|  const items = await %cached%(url, %minutes%, () => %feed%(url));
 !cached 1+|  const items = await %feed%(url);
     <1|  const items = await %feed%(url);
  !bug |  return Response.json({ count: items.length, items }, {
   bug |  return Response.json({ count: (items as any).entries.length, items }, {
     1+|    headers: { "cache-control": ~max-age=#{%minutes% * 60}~ },
       |  });
       |%end%
      `,
      readme: `
      |# %self%
      |
      |Feeds as JSON, for pages that cannot read XML.
     2+|
     2+|~GET /?url=https://xkcd.com/rss.xml~
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'length')" },
      errors: ['Non-whitespace before first tag.\nLine: 0\nColumn: 1\nChar: <'],
      runs: [
        { ms: '90..700', args: [{ method: 'GET', url: '/' }] },
        { when: '2+', params: { f: '@feed' }, ms: '200..1300', args: [{ method: 'GET', url: '/?url=%f.url%' }] },
      ],
      praise: ['Does one thing. My blogroll runs on it.'],
      wishes: [
        { stage: 2, wish: 'Any feed, please, not only %source%?', reply: '`?url=` is there, version %version%.' },
      ],
    },
    {
      type: 'email',
      names: ['newsletterInbox', 'newsletterToFeed', 'lettersToRead', 'mailToRss'],
      needs: ['sqlite'],
      uses: ['summarize'],
      params: { table: 'letters|issues|newsletters' },
      stages: 1,
      code: `
       |import { %sqlite% } from "%sqlite.url%";
  summarize 1+|import { %summarize% } from "%summarize.url%";
       |
       |%onEmail%
  !bug |  const text = %mail%.text ?? "";
   bug |  const text = %mail%.body.text;
  summarize 1+|  const gist = await %summarize%(text);
 !summarize 1+|  const gist = text.slice(0, 280);
     <1|  const gist = text.slice(0, 140);
       |  await %sqlite%.execute({
       |    sql: "insert into %table% (sender, subject, gist) values (?, ?, ?)",
       |    args: [%mail%.from, %mail%.subject, gist],
       |  });
       |%end%
      `,
      readme: `
      |Subscribe to newsletters with the address of this val. They end up in a table (~%table%~) instead of my inbox, and from there in a feed.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'text')" },
      errors: ['SQLITE_CONSTRAINT: UNIQUE constraint failed: %table%.subject'],
      runs: [
        {
          params: { n: '12..480', s: '@subject', who: '@writer' },
          ms: '300..2600',
          args: [{ from: 'hello@example.com', subject: '%s%' }],
        },
        { params: { n: '12..480' }, ms: '300..2600', args: [{ from: 'weekly@example.org', subject: 'Issue #%n%' }] },
      ],
      praise: ['Inbox: 4. Thank you.'],
    },
  ],
};
