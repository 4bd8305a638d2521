import type { Scenario } from './scenario.js';

const IMPORT = 'import { fetchJson } from "https://esm.town/v/ada/fetchJson";';

/** A thing that people build on the val, and about what: `%` in a text is one of the subjects. */
interface Idea {
  readonly name: string;
  readonly type?: 'httpnext' | 'interval';
  readonly code: readonly string[];
  readonly subjects: readonly string[];
}

/** Vals of others that import the popular one, one for nearly everybody. */
export function callersOf(usernames: readonly string[]): Scenario['vals'] {
  const drafts = IDEAS.flatMap(({ name, type, code, subjects }) =>
    subjects.map((subject) => {
      const fill = (text: string) => text.replaceAll('%Name%', camelCase(subject)).replaceAll('%', subject);
      return { name: fill(name), ...(type && { type }), code: [IMPORT, '', ...code.map(fill)].join('\n') };
    }),
  );
  return drafts.map((draft, index) => {
    // So that neighbours in the list are not about the same thing.
    const at = (index * 97) % drafts.length;
    return {
      author: usernames[index % usernames.length] ?? '',
      ...(drafts[at] ?? draft),
      createdAt: `-${Math.round(380 * (1 - index / drafts.length) ** 1.5)}d${(index * 11) % 24}h${(index * 17) % 60}m`,
      ...(index % 23 === 7 && { privacy: 'unlisted' as const }),
      ...(index % 31 === 9 && { privacy: 'private' as const }),
    };
  });
}

const camelCase = (words: string) =>
  words.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const IDEAS: readonly Idea[] = [
  {
    name: 'starsOf%Name%',
    code: [
      'export async function starsOf%Name%(): Promise<number> {',
      '  const { stargazers_count } = await fetchJson("https://api.github.com/repos/%");',
      '  return stargazers_count;',
      '}',
    ],
    subjects:
      'denoland/deno,honojs/hono,vuejs/core,preactjs/preact,sveltejs/svelte,astro/astro,date-fns/date-fns,d3/d3,lodash/lodash,colinhacks/zod,drizzle-team/drizzle-orm,biomejs/biome,vitejs/vite,nodejs/node,expressjs/express,solidjs/solid,alpinejs/alpine,remix-run/remix,oven-sh/bun,eslint/eslint,three/three,prettier/prettier,jquery/jquery,tailwindlabs/tailwindcss,withastro/starlight,11ty/eleventy'.split(
        ',',
      ),
  },
  {
    name: 'weatherIn%Name%',
    type: 'httpnext',
    code: [
      'const API = "https://geocoding-api.open-meteo.com/v1/search?count=1&name=";',
      '',
      'export default async function () {',
      '  const { results: [place] } = await fetchJson(API + encodeURIComponent("%"));',
      '  const { latitude, longitude } = place;',
      '  return Response.json(',
      '    await fetchJson(`https://api.open-meteo.com/v1/forecast?latitude=${latitude}&longitude=${longitude}&current_weather=true`),',
      '  );',
      '}',
    ],
    subjects:
      'Oslo,Lagos,Kyoto,Porto,Quito,Tartu,Ghent,Nairobi,Hobart,Lima,Bergen,Osaka,Tunis,Leeds,Cork,Riga,Austin,Montreal,Zagreb,Dakar,Hanoi,Sofia,Lund,Graz,Busan,Cusco,Turku,Basel'.split(
        ',',
      ),
  },
  {
    name: 'downloadsOf%Name%',
    code: [
      'const { downloads } = await fetchJson("https://api.npmjs.org/downloads/point/last-week/%");',
      '',
      'export const downloadsOf%Name% = downloads;',
    ],
    subjects:
      'zod,hono,ky,nanoid,date-fns,chalk,picocolors,yargs,express,fastify,vitest,tsx,execa,marked,uuid,luxon,immer,ramda'.split(
        ',',
      ),
  },
  {
    name: '%ToEuro',
    code: [
      'export async function %ToEuro(amount = 1): Promise<string> {',
      '  const { rates } = await fetchJson("https://api.frankfurter.app/latest?from=%&to=EUR");',
      '  return (amount * rates.EUR).toFixed(2);',
      '}',
    ],
    subjects: 'USD,GBP,SEK,NOK,DKK,CHF,JPY,PLN,CZK,HUF,TRY,BRL,CAD,AUD,INR,KRW,ZAR,MXN'.split(','),
  },
  {
    name: 'about%Name%',
    code: [
      'const page = await fetchJson("https://en.wikipedia.org/api/rest_v1/page/summary/%");',
      '',
      'export const about%Name% = page.extract;',
      'console.log(about%Name%);',
    ],
    subjects:
      'Ada_Lovelace,Grace_Hopper,Octopus,Sourdough,Lighthouse,Esperanto,Tardigrade,Aurora,Accordion,Bonsai,Cartography,Fermentation,Fjord,Kintsugi,Loom,Origami,Sextant,Volcano,Abacus,Beekeeping,Cuckoo_clock,Geyser,Kombucha,Maglev,Mycelium,Pangolin,Quipu,Zeppelin'.split(
        ',',
      ),
  },
  {
    name: 'is%Name%Up',
    type: 'interval',
    code: [
      'export default async function (interval: Interval) {',
      '  const { status } = await fetchJson("https://status.%/api/v2/status.json");',
      '  if (status.indicator !== "none") console.log(`${interval.lastRunAt}: ${status.description}`);',
      '}',
    ],
    subjects:
      'npmjs.org,discord.com,figma.com,notion.so,openai.com,twilio.com,dropbox.com,linear.app,deno.com,render.com,zoom.us,gitlab.com'.split(
        ',',
      ),
  },
  {
    name: 'chessRatingOf%Name%',
    code: [
      'export const chessRatingOf%Name% = async () => {',
      '  const { perfs } = await fetchJson("https://lichess.org/api/user/%");',
      '  return { blitz: perfs.blitz?.rating, rapid: perfs.rapid?.rating };',
      '};',
    ],
    subjects:
      'slowknight,pawnstorm,castlequeen,endgamer,fianchetto,lateblunder,rookie64,bishopfan,zugzwang7,gambitgirl,openfile,stalemates'.split(
        ',',
      ),
  },
  {
    name: 'books%Name%',
    type: 'httpnext',
    code: [
      'export default async (request: Request) => {',
      '  const limit = new URL(request.url).searchParams.get("limit") ?? "10";',
      '  const { docs } = await fetchJson(`https://openlibrary.org/search.json?q=%&limit=${limit}`);',
      '  return Response.json(docs.map(({ title, author_name }) => ({ title, by: author_name?.[0] })));',
      '};',
    ],
    subjects:
      'gardening,sailing,baking,bees,clocks,knots,mushrooms,maps,bridges,whales,tea,typography,bicycles,puppets'.split(
        ',',
      ),
  },
  {
    name: 'quakesNear%Name%',
    type: 'interval',
    code: [
      'const FEED = "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/4.5_day.geojson";',
      '',
      'export default async function () {',
      '  const { features } = await fetchJson(FEED);',
      '  const near = features.filter(({ properties }) => properties.place?.includes("%"));',
      '  for (const { properties } of near) console.log(properties.mag, properties.place);',
      '}',
    ],
    subjects: 'Chile,Japan,Iceland,Greece,Alaska,Tonga,Nepal,Mexico,Italy,Fiji,Peru,Taiwan'.split(','),
  },
  {
    name: 'top%Stories',
    code: [
      'const API = "https://hacker-news.firebaseio.com/v0";',
      '',
      'export async function top%Stories() {',
      '  const ids = await fetchJson(`${API}/topstories.json`);',
      '  return await Promise.all(ids.slice(0, %).map((id: number) => fetchJson(`${API}/item/${id}.json`)));',
      '}',
    ],
    subjects: '3,5,7,10,12,15,20,25,30,40,50,100'.split(','),
  },
  {
    name: 'commitsTo%Name%',
    type: 'httpnext',
    code: [
      'export default async function handler(): Promise<Response> {',
      '  const commits = await fetchJson("https://api.github.com/repos/%/commits?per_page=20", {',
      '    headers: { "user-agent": "val" },',
      '  });',
      '  const items = commits.map(({ commit }) => `<li>${commit.message.split("\\n")[0]}</li>`);',
      '  return new Response(`<ul>${items.join("")}</ul>`, { headers: { "content-type": "text/html" } });',
      '}',
    ],
    subjects:
      'denoland/std,tc39/proposals,w3c/csswg-drafts,rust-lang/rust,golang/go,python/cpython,ziglang/zig,elm/compiler,gleam-lang/gleam,nix-community/home-manager,jj-vcs/jj,neovim/neovim'.split(
        ',',
      ),
  },
  {
    name: 'holidaysIn%Name%',
    code: [
      'export async function holidaysIn%Name%(year: number): Promise<string[]> {',
      '  const days = await fetchJson(`https://date.nager.at/api/v3/PublicHolidays/${year}/%`);',
      '  return days.map(({ date, localName }) => `${date} ${localName}`);',
      '}',
    ],
    subjects: 'AT,BE,BR,CH,DK,ES,FI,FR,GB,IE,IT,JP,NL,NO,NZ,PL,PT,SE'.split(','),
  },
  {
    name: 'nextLaunch%Name%',
    type: 'interval',
    code: [
      'export default async function () {',
      '  const { results } = await fetchJson("https://ll.thespacedevs.com/2.2.0/launch/upcoming/?search=%");',
      '  console.log(results[0]?.name ?? "nothing planned", results[0]?.net);',
      '}',
    ],
    subjects: 'Ariane,Vega,Falcon,Electron,Soyuz,Starship,Atlas,Vulcan'.split(','),
  },
  {
    name: '%Name%ForDinner',
    code: [
      'const { meals } = await fetchJson("https://www.themealdb.com/api/json/v1/1/filter.php?i=%");',
      '',
      'export const %Name%ForDinner = meals[Math.floor(Math.random() * meals.length)].strMeal;',
    ],
    subjects: 'aubergine,lentils,salmon,mushrooms,potatoes,chickpeas,spinach,rice,leek,pumpkin,halloumi,cabbage'.split(
      ',',
    ),
  },
  {
    name: 'tidesAt%Name%',
    type: 'httpnext',
    code: [
      'const API = "https://api.tidesandcurrents.noaa.gov/api/prod/datagetter";',
      'const QUERY = "date=today&product=predictions&datum=MLLW&time_zone=lst&interval=hilo&units=metric&format=json";',
      '',
      'export default async () => Response.json(await fetchJson(`${API}?${QUERY}&station=%`));',
    ],
    subjects: '9414290,8443970,8518750,9447130,8724580,1612340,8771341,9410170'.split(','),
  },
  {
    name: 'roll%Name%',
    code: [
      'export async function roll%Name%(times = 1): Promise<number[]> {',
      '  const draws = Array.from({ length: times }, () => fetchJson("https://qrandom.io/api/random/dice?n=1"));',
      '  return (await Promise.all(draws)).map(({ dice }) => Math.ceil((dice[0] / 6) * %));',
      '}',
    ],
    subjects: '4,6,8,10,12,20'.split(','),
  },
];
