import { github } from './github.js';
import type { Theme } from './template.js';

export const code: Theme = {
  name: 'code',
  bios: [
    'Developer tools. Mostly small ones.',
    'Maintainer of too many repositories, one of them with users.',
    'Frontend at %company%. Vals are my cron.',
    'I write the webhook first and the product later.',
  ],
  templates: [
    ...github,
    {
      type: 'http',
      names: ['badge', 'shields', 'starBadge', 'svgBadge', 'badges'],
      uses: ['escapeHtml'],
      params: { label: 'stars|vals|uptime|downloads|coffee', colour: '@colour' },
      tweaks: ['colour', 'label'],
      stages: 2,
      popularity: 1.4,
      code: `
  escapeHtml 1+|import { %escapeHtml% } from "%escapeHtml.url%";
  escapeHtml 1+|
       |%onHttp%
       |  const { searchParams } = new URL(%req%.url);
  !bug |  const value = searchParams.get("value") ?? "0";
   bug |  const value = searchParams.get("value").trim();
     <1|  const label = "%label%";
  escapeHtml 1+|  const label = %escapeHtml%(searchParams.get("label") ?? "%label%");
 !escapeHtml 1+|  const label = searchParams.get("label") ?? "%label%";
       |  const left = label.length * 7 + 10;
       |  const right = value.length * 7 + 10;
       |  const svg = ~<svg xmlns="http://www.w3.org/2000/svg" width="#{left + right}" height="20">
       |  <rect width="#{left}" height="20" fill="#555"/>
       |  <rect x="#{left}" width="#{right}" height="20" fill="%colour%"/>
       |  <g fill="#fff" font-family="Verdana,sans-serif" font-size="11">
       |    <text x="5" y="14">#{label}</text><text x="#{left + 5}" y="14">#{value}</text>
       |  </g>
       |</svg>~;
     <2|  return new Response(svg, { headers: { "content-type": "image/svg+xml" } });
     2+|  return new Response(svg, {
     2+|    headers: { "content-type": "image/svg+xml", "cache-control": "max-age=300" },
     2+|  });
       |%end%
      `,
      readme: `
      |# %self%
      |
      |![%label%](https://%user%-%self-%.web.val.run/?value=42)
      |
      |Badges for readmes. ~?value=42~ sets the value.
      `,
      bug: { error: "TypeError: Cannot read properties of null (reading 'trim')" },
      runs: [
        { params: { v: '1..9999' }, ms: '2..12', args: [{ method: 'GET', url: '/?value=%v%' }] },
        {
          when: '1+',
          params: { v: '90..100' },
          ms: '2..12',
          args: [{ method: 'GET', url: '/?label=coverage&value=%v%' }],
        },
      ],
      praise: ['Now in all of my readmes.', 'Pixel perfect next to the official ones.'],
      wishes: [
        {
          stage: 2,
          wish: 'GitHub fetches it on every page view, could you cache?',
          reply: 'Five minutes, version %version%.',
        },
      ],
    },
    {
      type: 'express',
      names: ['echo', 'whatDidISend', 'requestBin', 'inspect', 'mirror'],
      params: { status: '200|201|202' },
      tweaks: ['status'],
      stages: 2,
      popularity: 0.7,
      code: `
  chatty|// Sends back what it gets. For debugging clients.
       |export const %self% = async (req: express.Request, res: express.Response) => {
  !bug |  const { method, query } = req;
   bug |  const { method, query } = (req as any).original;
     1+|  const { authorization, cookie, ...headers } = req.headers;
     2+|  res.set("access-control-allow-origin", "*");
     <1|  res.status(%status%).json({ method, query, headers: req.headers });
     1+|  res.status(%status%).json({ method, query, headers, body: req.body });
       |};
      `,
      readme: `
      |Send it something, it tells you what it got.
      |
      |~~~sh
      |curl -d hello https://%user%-%self-%.express.val.run
      |~~~
      `,
      bug: { error: "TypeError: Cannot destructure property 'method' of 'req.original' as it is undefined." },
      runs: [
        { ms: '2..9', args: [{ method: 'GET', url: '/?debug=1' }], returns: { method: 'GET', query: { debug: '1' } } },
        { ms: '2..9', args: [{ method: 'POST', url: '/' }], returns: { method: 'POST', query: {} } },
      ],
      praise: ['The first thing I open when a webhook misbehaves.'],
      wishes: [
        {
          stage: 1,
          wish: 'It shows my token to everybody in the room.',
          reply: 'Hidden since version %version%, sorry!',
        },
      ],
    },
  ],
};
