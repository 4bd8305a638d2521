import type { Theme } from './template.js';

export const shelf: Theme = {
  name: 'shelf',
  bios: [
    'Reading %book%, slowly.',
    'Librarian with root access.',
    'Vinyl, paper, vals.',
    'I track what I read so that I can forget it.',
    'Currently on repeat: %artist%.',
  ],
  templates: [
    {
      type: 'http',
      names: ['readingList', 'bookshelf', 'toRead', 'library', 'books'],
      needs: ['sqlite'],
      uses: ['page', 'csv'],
      params: { first: '@book', second: '@book', table: 'books|shelf|reading' },
      tweaks: ['second'],
      stages: 3,
      popularity: 1.2,
      code: `
       |import { %sqlite% } from "%sqlite.url%";
  page 1+|import { %page% } from "%page.url%";
  csv 2+|import { %csv% } from "%csv.url%";
       |
     3+|// Started with "%first%" and "%second%".
       |%onHttp%
       |  const { rows } = await %sqlite%.execute("select title, finished from %table% order by finished desc");
  !bug |  const books = rows.map(([title, finished]) => ({ title, finished }));
   bug |  const books = rows.map(([title, finished]) => ({ title, finished: finished.date.slice(0, 10) }));
  csv 2+|  if (new URL(%req%.url).pathname === "/books.csv") return new Response(%csv%(books));
       |  const list = books.map(({ title, finished }) => ~<li>#{finished ? "✓" : "…"} #{title}</li>~).join("");
  page 1+|  return %page%("Books", ~<h1>Books</h1><ul>#{list}</ul>~);
 !page 1+|  return new Response(~<h1>Books</h1><ul>#{list}</ul>~, { headers: { "content-type": "text/html" } });
     <1|  return new Response(~<ul>#{list}</ul>~, { headers: { "content-type": "text/html" } });
       |%end%
      `,
      readme: `
      |# %self%
      |
      |What I read, and what I only bought.
      |
      |- [x] %first%
      |- [ ] %second%
  csv 2+|
  csv 2+|As a table: ~/books.csv~
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'slice')" },
      runs: [
        { params: { p: '@path' }, ms: '50..240', args: [{ method: 'GET', url: '%p%' }] },
        { when: '2+', ms: '50..240', args: [{ method: 'GET', url: '/books.csv' }] },
      ],
      praise: ['"%first%" is on mine, too.', 'You should finish "%second%", it gets better.'],
      wishes: [
        {
          stage: 2,
          wish: 'I would love to import this into my own list.',
          reply: 'There is a `/books.csv` in version %version%.',
        },
      ],
    },
    {
      type: 'http',
      names: ['nowPlaying', 'listeningTo', 'lastTrack', 'scrobble', 'currentSong'],
      uses: ['fetchJson'],
      params: {
        song: '@song',
        artist: '@artist',
        seconds: '15..60*15',
        fallback: 'Silence|Nothing right now|The fridge',
      },
      tweaks: ['fallback', 'seconds'],
      stages: 2,
      popularity: 1.2,
      upstream: 'ws.audioscrobbler.com',
      code: `
  fetchJson|import { %fetchJson% } from "%fetchJson.url%";
  fetchJson|
       |const url = new URL("https://ws.audioscrobbler.com/2.0/?method=user.getrecenttracks&format=json&limit=1");
       |url.searchParams.set("user", "%user%");
       |url.searchParams.set("api_key", Deno.env.get("LASTFM_KEY") ?? "");
       |
       |%onHttp%
  fetchJson|  const { recenttracks } = await %fetchJson%(url);
 !fetchJson|  const { recenttracks } = await (await fetch(url)).json();
  !bug |  const track = recenttracks.track[0];
   bug |  const track = recenttracks.items[0];
     1+|  if (!track) return Response.json({ song: "%fallback%" });
       |  return Response.json(
     <2|    { song: track.name, artist: track.artist["#text"] },
     2+|    { song: track.name, artist: track.artist["#text"], live: track["@attr"]?.nowplaying === "true" },
     2+|    { headers: { "cache-control": "max-age=%seconds%" } },
       |  );
       |%end%
      `,
      readme: `
      |# %self%
      |
      |The little note on my homepage. Chances are that it is %artist%.
      |
      |~~~json
      |{ "song": "%song%", "artist": "%artist%" }
      |~~~
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading '0')" },
      errors: ['503 Service Unavailable from ws.audioscrobbler.com'],
      runs: [
        {
          when: '2+',
          params: { s: '@song', a: '@artist' },
          ms: '120..520',
          args: [{ method: 'GET', url: '/' }],
          returns: { song: '%s%', artist: '%a%', live: true },
        },
        {
          when: '<2',
          params: { s: '@song' },
          ms: '120..520',
          args: [{ method: 'GET', url: '/' }],
          returns: { song: '%s%', artist: '%artist%' },
        },
      ],
      praise: ['So much %artist%. Respect.', 'On my homepage since Friday.'],
      wishes: [{ stage: 1, wish: 'With no tracks at all it breaks.', reply: 'Now it says "%fallback%".' }],
    },
    {
      type: 'interval',
      names: ['albumOfTheWeek', 'bookOfTheDay', 'friday%Kind%', 'recommend', '%Kind%Club'],
      needs: ['email'],
      uses: ['chat'],
      params: { kind: 'song|record|track', a: '@song', b: '@song', c: '@song', d: '@song' },
      tweaks: ['a', 'c', 'd'],
      stages: 2,
      every: ['7d', '1d'],
      code: `
       |import { %email% } from "%email.url%";
  chat 2+|import { %chat% } from "%chat.url%";
       |
       |const LIST = [
       |  "%a%",
       |  "%b%",
       |  "%c%",
     1+|  "%d%",
       |];
       |
       |%onInterval%
       |  const week = Math.floor(Date.now() / 604_800_000);
  !bug |  const pick = LIST[week % LIST.length];
   bug |  const pick = LIST[week].toUpperCase();
       |  await %email%({ subject: ~This week: #{pick}~, text: "Listen to it twice." });
  chat 2+|  await %chat%(~The %kind% of the week is "#{pick}"~);
       |  return pick;
       |%end%
      `,
      readme: `
      |One %kind% at a time. This started as a joke between three of us.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'toUpperCase')" },
      runs: [
        { ms: '300..900', returns: '%a%', emails: [{ subject: 'This week: %a%' }] },
        { ms: '300..900', returns: '%b%', emails: [{ subject: 'This week: %b%' }] },
      ],
      praise: ['"%b%" again? Fine.', 'Never heard of "%c%" before. Thank you!'],
    },
    {
      type: 'script',
      names: ['isbn', 'checkIsbn', 'isValidIsbn', 'isbn13'],
      stages: 2,
      popularity: 0.9,
      code: `
       |export function %self%(text: string): boolean {
  !bug |  const digits = text.replaceAll("-", "");
   bug |  const digits = (text as any).digits();
     1+|  if (digits.length === 10) {
     1+|    const sum = [...digits].reduce((total, digit, i) => total + (10 - i) * (digit === "X" ? 10 : Number(digit)), 0);
     1+|    return sum % 11 === 0;
     1+|  }
       |  if (!/^97[89]\\d{10}$/.test(digits)) return false;
       |  const sum = [...digits].reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 3 : 1), 0);
       |  return sum % 10 === 0;
       |}
     2+|
     2+|console.log(%self%("978-0-306-40615-7"));
      `,
      readme: `
      |Thirteen digits, with or without hyphens.
      `,
      bug: { error: 'TypeError: text.digits is not a function' },
      runs: [
        { ms: '1..2', args: ['978-0-306-40615-7'], returns: true },
        { ms: '1..2', args: ['978-0-306-40615-8'], returns: false },
        { when: '1+', ms: '1..2', args: ['0-306-40615-2'], returns: true },
      ],
      praise: ['Found three typos in my catalogue.'],
      wishes: [{ stage: 1, wish: 'My old books have ten digits.', reply: 'Both are fine, as of version %version%.' }],
    },
  ],
};
