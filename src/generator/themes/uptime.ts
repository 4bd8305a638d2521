import type { Theme } from './template.js';

export const uptime: Theme = {
  name: 'uptime',
  bios: [
    'I get paged so that you do not have to.',
    'Operations at %company%. Everything is a cron job.',
    'It was DNS.',
    'Keeping seven small sites awake.',
  ],
  templates: [
    {
      type: 'script',
      provides: 'isUp',
      names: ['isUp', 'checkUrl', 'pingSite', 'probe', 'alive'],
      params: { seconds: '3..15' },
      tweaks: ['seconds'],
      stages: 2,
      popularity: 1.8,
      code: `
       |export interface Check {
       |  url: string;
       |  up: boolean;
       |  ms: number;
     2+|  status?: number;
       |}
       |
       |export async function %self%(url: string): Promise<Check> {
       |  const start = performance.now();
       |  try {
     <1|    const response = await fetch(url);
  !bug 1+|    const response = await fetch(url, { signal: AbortSignal.timeout(%seconds% * 1000) });
   bug 1+|    const response = await fetch(url, { signal: (AbortSignal as any).after(%seconds% * 1000) });
       |    const ms = Math.round(performance.now() - start);
     <2|    return { url, up: response.ok, ms };
     2+|    return { url, up: response.ok, ms, status: response.status };
       |  } catch (error) {
   bug 1+|    if (error instanceof TypeError) throw error;
       |    console.log(~#{url}: #{error}~);
       |    return { url, up: false, ms: Math.round(performance.now() - start) };
       |  }
       |}
      `,
      readme: `
      |# %self%
      |
      |~~~ts
      |const { up, ms } = await %self%("https://example.com");
      |~~~
     1+|
     1+|Gives up after %seconds% seconds. It never throws; a site that does not answer is down.
      `,
      bug: { from: 1, error: 'TypeError: AbortSignal.after is not a function' },
      runs: [
        {
          when: '<2',
          params: { s: '@site', t: '40..900' },
          ms: '50..900',
          args: ['https://%s%'],
          returns: { url: 'https://%s%', up: true, ms: '%t%' },
        },
        {
          when: '2+',
          params: { s: '@site', t: '40..900' },
          ms: '50..900',
          args: ['https://%s%'],
          returns: { url: 'https://%s%', up: true, ms: '%t%', status: 200 },
        },
      ],
      praise: ['That it never throws is the best thing about it.'],
      wishes: [
        {
          stage: 1,
          wish: 'It waited five minutes for a dead server.',
          reply: '%seconds% seconds are enough for anybody. Version %version%.',
        },
        {
          stage: 2,
          wish: 'Could I have the status code as well?',
          reply: 'It is in the result of version %version%.',
        },
      ],
    },
    {
      type: 'interval',
      names: ['uptime', 'checkSites', 'isItDown', 'watchdog', 'siteMonitor'],
      needs: ['chat'],
      uses: ['isUp', 'sqlite'],
      params: { first: '@site', second: '@site', slow: '1000..3000*500' },
      tweaks: ['slow', 'second'],
      stages: 2,
      popularity: 1.4,
      every: ['15m', '15m', '1h'],
      code: `
  isUp|import { %isUp% } from "%isUp.url%";
       |import { %chat% } from "%chat.url%";
  sqlite 2+|import { %sqlite% } from "%sqlite.url%";
       |
     <1|const URLS = ["https://%first%"];
     1+|const URLS = ["https://%first%", "https://%second%"];
       |
       |%onInterval%
  isUp|  const checks = await Promise.all(URLS.map((url) => %isUp%(url)));
 !isUp|  const checks = await Promise.all(
 !isUp|    URLS.map(async (url) => {
 !isUp|      const start = Date.now();
 !isUp|      const up = await fetch(url).then((response) => response.ok, () => false);
 !isUp|      return { url, up, ms: Date.now() - start };
 !isUp|    }),
 !isUp|  );
  !bug |  for (const { url, up, ms } of checks) {
   bug |  for (const { url, up, ms } of (checks as any).results) {
       |    console.log(~#{up ? "up" : "DOWN"} #{url} #{ms} ms~);
  sqlite 2+|    await %sqlite%.execute({ sql: "insert into checks values (?, ?, ?)", args: [url, up, ms] });
     <1|    if (!up) await %chat%(~#{url} is down~);
     1+|    if (!up || ms > %slow%) await %chat%(~#{url} is #{up ? "slow" : "down"} (#{ms} ms)~);
       |  }
     1+|  return checks.every(({ up }) => up);
       |%end%
      `,
      readme: `
      |# %self%
      |
      |Looks at my sites and tells the chat when one is down.
      |
      || Site | |
      ||---|---|
      || %first% | important |
     1+|| %second% | less so |
      `,
      bug: { error: 'TypeError: checks.results is not iterable' },
      runs: [
        { when: '<1', params: { t: '60..480' }, ms: '90..900', logs: ['up https://%first% %t% ms'], returns: true },
        {
          when: '1+',
          params: { t: '~90..480', u: '90..700' },
          ms: '90..900',
          logs: ['up https://%first% %t% ms', 'up https://%second% %u% ms'],
          returns: true,
        },
      ],
      praise: ['It noticed before our customers did.', 'Replaced a service for which I paid 20 a month.'],
      wishes: [
        {
          stage: 1,
          wish: 'Up but taking eight seconds should count as well.',
          reply: 'More than %slow% ms counts, in version %version%.',
        },
      ],
    },
    {
      type: 'http',
      names: ['statusPage', 'status', 'areWeUp', 'health', 'dashboard'],
      needs: ['isUp'],
      uses: ['page', 'cached', 'sparkline'],
      params: { first: '@site', second: '@site', title: 'Status|Are we up?|All systems|Is it me?' },
      tweaks: ['title', 'second'],
      stages: 2,
      code: `
       |import { %isUp% } from "%isUp.url%";
  page 1+|import { %page% } from "%page.url%";
  cached 2+|import { %cached% } from "%cached.url%";
  sparkline 2+|import { %sparkline% } from "%sparkline.url%";
       |
       |const SITES = ["https://%first%", "https://%second%"];
       |
       |%onHttp%
  cached 2+|  const checks = await %cached%("%self%", 1, () => Promise.all(SITES.map((site) => %isUp%(site))));
 !cached 2+|  const checks = await Promise.all(SITES.map((site) => %isUp%(site)));
     <2|  const checks = await Promise.all(SITES.map((site) => %isUp%(site)));
  !bug |  const rows = checks.map(({ url, up, ms }) => ~<tr><td>#{up ? "🟢" : "🔴"}</td><td>#{url}</td><td>#{ms} ms</td></tr>~);
   bug |  const rows = checks.map(({ url, up, ms }) => ~<tr><td>#{up.icon.on}</td><td>#{url}</td><td>#{ms} ms</td></tr>~);
  sparkline 2+|  rows.push(~<tr><td colspan="3">#{%sparkline%(checks.map(({ ms }) => ms))}</td></tr>~);
       |  const body = ~<h1>%title%</h1><table>#{rows.join("")}</table>~;
  page 1+|  return %page%("%title%", body);
 !page 1+|  return new Response(body, { headers: { "content-type": "text/html; charset=utf-8" } });
     <1|  return new Response(body, { headers: { "content-type": "text/html; charset=utf-8" } });
       |%end%
      `,
      readme: `
      |# %title%
      |
      |Two sites, two dots. Green is good.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'on')" },
      runs: [{ params: { p: '@path' }, ms: '120..900', args: [{ method: 'GET', url: '%p%' }] }],
      praise: ['Green all week. Well done!'],
    },
    {
      type: 'interval',
      names: ['sslExpiry', 'certCheck', 'certificateWatch', 'domainExpiry'],
      needs: ['email'],
      uses: ['fetchJson'],
      params: { domain: '@site', days: '7..30*7' },
      tweaks: ['days'],
      stages: 1,
      upstream: 'crt.sh',
      every: ['1d', '1d', '7d'],
      code: `
       |import { %email% } from "%email.url%";
  fetchJson|import { %fetchJson% } from "%fetchJson.url%";
       |
       |const DOMAIN = "%domain%";
       |
       |%onInterval%
  fetchJson|  const certificates = await %fetchJson%(~https://crt.sh/?q=#{DOMAIN}&output=json~);
 !fetchJson|  const certificates = await (await fetch(~https://crt.sh/?q=#{DOMAIN}&output=json~)).json();
  !bug |  const ends = certificates.map((certificate: any) => Date.parse(certificate.not_after));
   bug |  const ends = certificates.map((certificate: any) => Date.parse(certificate.validity.not_after));
       |  const days = Math.floor((Math.max(...ends) - Date.now()) / 86_400_000);
       |  console.log(~#{DOMAIN}: #{days} days left~);
     <1|  if (days < %days%) await %email%({ subject: ~#{DOMAIN} expires~ });
     1+|  if (days < %days%) await %email%({ subject: ~#{DOMAIN}: renew within #{days} days~ });
       |%end%
      `,
      readme: `
      |The certificate of %domain% expired once, on a Sunday. Never again.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'not_after')" },
      errors: ['502 Bad Gateway from crt.sh'],
      runs: [{ params: { d: '^89..29' }, ms: '600..4800', logs: ['%domain%: %d% days left'] }],
      praise: ['The Sunday remark hurts. Same here.'],
    },
  ],
};
