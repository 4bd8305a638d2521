import type { Template } from './template.js';

/** Importable helpers for texts, lists and numbers. */
export const values: readonly Template[] = [
  {
    type: 'script',
    provides: 'slugify',
    names: ['slugify', 'slug', 'toSlug', 'kebab', 'urlSafe'],
    params: { max: '40..80*10' },
    tweaks: ['max'],
    stages: 2,
    popularity: 2,
    code: `
  chatty|/** "Crème brûlée!" becomes "creme-brulee". */
       |export function %self%(text: string): string {
       |  return text
     1+|    .normalize("NFD")
     1+|    .replace(/[\\u0300-\\u036f]/g, "")
       |    .toLowerCase()
  !bug |    .replace(/[^a-z0-9]+/g, "-")
  !bug |    .replace(/^-|-$/g, "")
   bug |    .replace(/[^a-z0-9]+/g, "-").match(/^-|-$/g)[0]
     2+|    .slice(0, %max%);
     <2|    .toString();
       |}
    `,
    readme: `
      |# %self%
      |
      |~~~ts
      |%self%("Hello, world!") // hello-world
     1+|%self%("Crème brûlée") // creme-brulee
      |~~~
     2+|
     2+|Cuts after %max% characters.
    `,
    bug: { error: "TypeError: Cannot read properties of null (reading '0')" },
    runs: [
      { ms: '1..2', args: ['Hello, world!'], returns: 'hello-world' },
      { ms: '1..2', args: ['Notes from May'], returns: 'notes-from-may' },
      { ms: '1..2', args: ['Wind, Sand & Sea'], returns: 'wind-sand-sea' },
    ],
    praise: ['Using it for the file names of my notes.', 'Nice and short, like a slug.'],
    wishes: [
      {
        stage: 1,
        wish: '`Crème brûlée` becomes `cr-me-br-l-e`. My cookbook protests.',
        reply: 'Version %version% speaks French.',
      },
      {
        stage: 2,
        wish: 'Titles from feeds can be endless. A maximum length?',
        reply: 'It stops at %max% characters now.',
      },
    ],
  },
  {
    type: 'script',
    provides: 'formatDate',
    names: ['formatDate', 'niceDate', 'dateString', 'humanDate', 'prettyDate'],
    params: { zone: '@place', locale: 'en-GB|en-US|en-CA' },
    tweaks: ['locale'],
    stages: 2,
    popularity: 2.5,
    code: `
     <2|export function %self%(date: Date | string | number): string {
     2+|export function %self%(date: Date | string | number, timeZone = "%zone.zone%"): string {
  !bug |  const day = new Date(date);
   bug |  const day = date as any;
       |  const options: Intl.DateTimeFormatOptions = {
     1+|    weekday: "short",
       |    day: "numeric",
       |    month: "short",
     2+|    timeZone,
       |  };
   bug |  if (Number.isNaN(day.getTime())) return "never";
  !bug 1+|  if (Number.isNaN(day.getTime())) return "never";
       |  return day.toLocaleDateString("%locale%", options);
       |}
    `,
    readme: `
      |# %self%
      |
      |Dates for people. Takes a Date, a timestamp or an ISO string.
      |
      |~~~ts
      |%self%(Date.now())
      |~~~
     2+|
     2+|The time zone is ~%zone.zone%~ unless you say otherwise, because that is where I live.
    `,
    bug: { error: 'TypeError: day.getTime is not a function' },
    runs: [
      { ms: '1..3', args: ['2021-03-04'], returns: 'Thu, 4 Mar' },
      { ms: '1..3', args: [0], returns: 'Thu, 1 Jan' },
    ],
    praise: ['`toLocaleDateString` without looking up the options again.'],
    wishes: [
      {
        stage: 2,
        wish: 'Vals run in UTC, so this shows *yesterday* in the morning. A time zone argument?',
        reply: 'You are right. Second argument, version %version%.',
      },
    ],
  },
  {
    type: 'script',
    provides: 'chunk',
    names: ['chunk', 'inGroupsOf', 'batches', 'splitEvery', 'chunks'],
    stages: 1,
    popularity: 1.2,
    code: `
       |export function %self%<T>(list: readonly T[], size: number): T[][] {
     1+|  if (size < 1) throw new RangeError(~a chunk of #{size}?~);
  !bug |  const groups: T[][] = [];
   bug |  const groups: T[][] = undefined as any;
       |  for (let start = 0; start < list.length; start += size) {
       |    groups.push(list.slice(start, start + size));
       |  }
       |  return groups;
       |}
    `,
    readme: `
      |~%self%([1, 2, 3, 4, 5], 2)~ is ~[[1, 2], [3, 4], [5]]~.
    `,
    bug: { error: "TypeError: Cannot read properties of undefined (reading 'push')" },
    runs: [{ ms: '1..2', args: [[1, 2, 3, 4, 5], 2], returns: [[1, 2], [3, 4], [5]] }],
    praise: ['For those APIs that take fifty ids at a time.'],
    wishes: [
      {
        stage: 1,
        wish: 'A size of 0 never returns. Ask me how I know.',
        reply: 'Version %version% throws instead, sorry.',
      },
    ],
  },
  {
    type: 'script',
    provides: 'shuffle',
    names: ['shuffle', 'shuffled', 'randomOrder', 'mixUp', 'fisherYates'],
    stages: 1,
    popularity: 1.2,
    code: `
     <1|export function %self%<T>(list: readonly T[]): T[] {
     1+|export function %self%<T>(list: readonly T[], random = Math.random): T[] {
  !bug |  const mixed = [...list];
   bug |  const mixed = Object.freeze([...list]) as T[];
       |  for (let i = mixed.length - 1; i > 0; i--) {
     <1|    const j = Math.floor(Math.random() * (i + 1));
     1+|    const j = Math.floor(random() * (i + 1));
       |    [mixed[i], mixed[j]] = [mixed[j], mixed[i]];
       |  }
       |  return mixed;
       |}
    `,
    readme: `
      |Fisher–Yates. Not ~sort(() => Math.random() - 0.5)~, which is [not random at all](https://bost.ocks.org/mike/shuffle/compare.html).
    `,
    bug: { error: "TypeError: Cannot assign to read only property '2' of object '[object Array]'" },
    runs: [{ ms: '1..2', args: [['a', 'b', 'c']], returns: ['c', 'a', 'b'] }],
    praise: ['Thank you for the link. I had the wrong one for years.'],
    wishes: [
      {
        stage: 1,
        wish: 'Could I pass my own random function, for tests?',
        reply: 'Second argument, from version %version% on.',
      },
    ],
  },
  {
    type: 'script',
    provides: 'csv',
    names: ['toCsv', 'csv', 'csvOf', 'makeCsv', 'toCSV'],
    params: { separator: ',|;' },
    tweaks: ['separator'],
    stages: 1,
    popularity: 1.2,
    code: `
     1+|const quote = (value: unknown) => {
     1+|  const text = String(value ?? "");
     1+|  return /["%separator%\\n]/.test(text) ? ~"#{text.replaceAll('"', '""')}"~ : text;
     1+|};
     1+|
  chatty|/** Rows of objects as CSV, with a header line. */
       |export function %self%(rows: Record<string, unknown>[]): string {
  !bug |  const columns = Object.keys(rows[0] ?? {});
   bug |  const columns = Object.keys(rows[rows.length]);
       |  const lines = rows.map((row) =>
     <1|    columns.map((column) => String(row[column] ?? "")).join("%separator%")
     1+|    columns.map((column) => quote(row[column])).join("%separator%")
       |  );
       |  return [columns.join("%separator%"), ...lines].join("\\n");
       |}
    `,
    readme: `
      |# %self%
      |
      |~~~ts
      |%self%([{ name: "rye", loaves: 3 }]) // name%separator%loaves…
      |~~~
    `,
    bug: { error: 'TypeError: Cannot convert undefined or null to object' },
    runs: [{ ms: '1..3', args: [[{ name: 'rye', loaves: 3 }]], returns: 'name,loaves\nrye,3' }],
    praise: ['My accountant thanks you.'],
    wishes: [
      { stage: 1, wish: 'A comma in a value breaks the row.', reply: 'Values are quoted since version %version%.' },
    ],
  },
  {
    type: 'script',
    provides: 'workday',
    names: ['isWorkday', 'isWeekday', 'workday', 'openToday', 'isBusinessDay'],
    params: { closed: '12-25|01-01|05-01|12-24' },
    stages: 2,
    popularity: 0.9,
    code: `
     2+|const HOLIDAYS = ["%closed%"];
     2+|
       |export function %self%(date = new Date()): boolean {
  !bug |  const day = date.getUTCDay();
   bug |  const day = (date as any).getUTCWeekday();
     2+|  if (HOLIDAYS.includes(date.toISOString().slice(5, 10))) return false;
     <1|  return day > 0 && day < 6;
     1+|  return day >= 1 && day <= 5;
       |}
    `,
    bug: { error: 'TypeError: date.getUTCWeekday is not a function' },
    runs: [{ ms: '1..2', returns: true }],
    praise: ['My standup bot stays quiet on Sundays now.'],
  },
];
