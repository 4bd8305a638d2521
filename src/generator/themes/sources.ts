import type { Sources } from './template.js';

const list = (items: string) => items.split('|');

const place = (name: string, lat: number, lon: number, zone: string) => ({ name, lat, lon, zone });

export const COMPANY_SUFFIXES = ['Sons', 'Daughters', 'Co', 'Partners', 'Friends'];

/** Values of parameters that faker has no list of. */
export const FIXED_SOURCES: Sources = {
  place: [
    place('Lisbon', 38.72, -9.14, 'Europe/Lisbon'),
    place('Brooklyn', 40.68, -73.94, 'America/New_York'),
    place('Berlin', 52.52, 13.41, 'Europe/Berlin'),
    place('Oakland', 37.8, -122.27, 'America/Los_Angeles'),
    place('Toronto', 43.65, -79.38, 'America/Toronto'),
    place('Utrecht', 52.09, 5.12, 'Europe/Amsterdam'),
    place('Melbourne', -37.81, 144.96, 'Australia/Melbourne'),
    place('Bengaluru', 12.97, 77.59, 'Asia/Kolkata'),
    place('Edinburgh', 55.95, -3.19, 'Europe/London'),
    place('Oslo', 59.91, 10.75, 'Europe/Oslo'),
    place('Chicago', 41.88, -87.63, 'America/Chicago'),
    place('Taipei', 25.03, 121.57, 'Asia/Taipei'),
    place('Montreal', 45.5, -73.57, 'America/Toronto'),
    place('Lyon', 45.76, 4.84, 'Europe/Paris'),
    place('Austin', 30.27, -97.74, 'America/Chicago'),
    place('Bristol', 51.45, -2.59, 'Europe/London'),
    place('Seattle', 47.61, -122.33, 'America/Los_Angeles'),
    place('Tallinn', 59.44, 24.75, 'Europe/Tallinn'),
    place('Nairobi', -1.29, 36.82, 'Africa/Nairobi'),
    place('Mexico City', 19.43, -99.13, 'America/Mexico_City'),
    place('Kyoto', 35.01, 135.77, 'Asia/Tokyo'),
    place('Porto', 41.15, -8.61, 'Europe/Lisbon'),
    place('Denver', 39.74, -104.99, 'America/Denver'),
    place('Vienna', 48.21, 16.37, 'Europe/Vienna'),
    place('Auckland', -36.85, 174.76, 'Pacific/Auckland'),
    place('Copenhagen', 55.68, 12.57, 'Europe/Copenhagen'),
  ],
  feed: [
    { name: 'Hacker News', url: 'https://hnrss.org/frontpage' },
    { name: 'Lobsters', url: 'https://lobste.rs/rss' },
    { name: 'xkcd', url: 'https://xkcd.com/rss.xml' },
    { name: 'the Rust blog', url: 'https://blog.rust-lang.org/feed.xml' },
    { name: 'the Deno blog', url: 'https://deno.com/feed' },
    { name: 'NASA pictures', url: 'https://apod.nasa.gov/apod.rss' },
    { name: 'the Go blog', url: 'https://go.dev/blog/feed.atom' },
    { name: 'Quanta Magazine', url: 'https://www.quantamagazine.org/feed/' },
    { name: 'the BBC', url: 'https://feeds.bbci.co.uk/news/rss.xml' },
    { name: 'Ars Technica', url: 'https://feeds.arstechnica.com/arstechnica/index' },
    { name: 'Product Hunt', url: 'https://www.producthunt.com/feed' },
    { name: 'the TypeScript blog', url: 'https://devblogs.microsoft.com/typescript/feed/' },
    { name: 'web.dev', url: 'https://web.dev/static/blog/feed.xml' },
    { name: 'Smashing Magazine', url: 'https://www.smashingmagazine.com/feed/' },
  ],
  repo: [
    { name: 'denoland/deno', short: 'deno' },
    { name: 'honojs/hono', short: 'hono' },
    { name: 'sqlite/sqlite', short: 'sqlite' },
    { name: 'withastro/astro', short: 'astro' },
    { name: 'oven-sh/bun', short: 'bun' },
    { name: 'vitejs/vite', short: 'vite' },
    { name: 'preactjs/preact', short: 'preact' },
    { name: 'drizzle-team/drizzle-orm', short: 'drizzle-orm' },
    { name: 'microsoft/TypeScript', short: 'TypeScript' },
    { name: 'neovim/neovim', short: 'neovim' },
    { name: 'tldraw/tldraw', short: 'tldraw' },
    { name: 'excalidraw/excalidraw', short: 'excalidraw' },
    { name: 'biomejs/biome', short: 'biome' },
    { name: 'bigskysoftware/htmx', short: 'htmx' },
    { name: 'jgraph/drawio', short: 'drawio' },
    { name: 'simonw/datasette', short: 'datasette' },
  ],
  keyword: list(
    'sqlite|typescript|local-first|deno|webassembly|postgres|climate|mechanical keyboards|rust|open source|accessibility|maps|e-ink|llm|home assistant|cycling',
  ),
  dish: list(
    'ramen|shakshuka|dal|focaccia|chili|tacos|gnocchi|pho|minestrone|paella|katsu curry|pierogi|bibimbap|mushroom risotto|lentil soup|pad thai|lasagne|fried rice',
  ),
  plant: list(
    'lemon tree|tomatoes|dahlias|monstera|chili plants|basil|fig tree|orchids|runner beans|bonsai|geraniums|avocado',
  ),
  sport: list('running|cycling|climbing|swimming|yoga|bouldering|rowing'),
  colour: list('#e63946|#457b9d|#2a9d8f|#f4a261|#6d597a|#264653|#ff7f51|#3a86ff|#8338ec|#52796f'),
  font: list('system-ui|Georgia, serif|ui-monospace, monospace|Iowan Old Style, serif|sans-serif|Charter, serif'),
  site: list(
    'example.com|blog.example.com|shop.example.com|api.example.org|docs.example.org|www.example.net|status.example.net|staging.example.com|photos.example.org|wiki.example.net',
  ),
  subject: list(
    'Re: Thursday|Your receipt|Invoice attached|Fwd: Tickets for Saturday|Read later: a good essay on caches|Groceries|Idea: a map of benches|Dentist moved to 9:40|Meeting notes|Package delivered|Call the landlord|Weekly newsletter|Photos from the lake|Plumber on Monday|Book recommendation|Re: Re: Re: dinner|Order confirmation|Standup',
  ),
  path: list('/|/|/|/?ref=hn|/favicon.ico|/robots.txt|/?utm_source=newsletter|/about'),
  query: list(
    'sqlite|how to parse dates|bread|cron syntax|deno kv|tide|rss|svg favicon|hono jsx|email handler|knots|maps without google',
  ),
};
