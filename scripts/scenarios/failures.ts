import type { Fixtures } from '#vals/service/service.collection.js';
import type { Scenario } from './scenario.js';

type Run = NonNullable<Fixtures['runs']>[number];

/** Runs that failed in every shape in which the service tells it, beside some that did not, or are not over. */
export const failures = (): Scenario => ({ users, vals, versions, runs: runs(), likes, comments });

const users: Scenario['users'] = [
  { username: 'ada', tier: 'pro', bio: 'On call this week. And last week.' },
  { username: 'grace', bio: 'Reads the logs so that you do not have to.' },
  { username: 'std', tier: 'pro', bio: 'The standard library.' },
];

const vals: Scenario['vals'] = [
  {
    author: 'ada',
    name: 'fetchJson',
    createdAt: '-90d',
    readme: ['# fetchJson', '', 'JSON of an address. Throws for anything but a 200.'],
    code: [
      'export async function fetchJson(url: string): Promise<any> {',
      '  const response = await fetch(url);',
      '  if (!response.ok) throw new Error(`${response.status} ${response.statusText} from ${new URL(url).host}`);',
      '  return await response.json();',
      '}',
    ],
  },
  {
    author: 'ada',
    name: 'checkShop',
    type: 'interval',
    createdAt: '-60d',
    readme: 'Every five minutes: is the shop up, and does it still know its prices?',
    code: [
      'import { fetchJson } from "https://esm.town/v/ada/fetchJson";',
      '',
      'export default async function (interval: Interval) {',
      '  const { open, prices } = await fetchJson("https://shop.example.com/api/status");',
      '  console.log(open ? "open" : "closed", prices.length);',
      '}',
    ],
  },
  {
    author: 'ada',
    name: 'parsePrices',
    createdAt: '-60d',
    versionCreatedAt: '-1d3h',
    version: 3,
    readme: null,
    code: [
      'export function parsePrices(csv: string): Map<string, number> {',
      '  const [head, ...rows] = csv.split("\\n").map((line) => line.split(";"));',
      '  const at = head.indexOf("price").value; // TODO: why did I write .value?',
      '  return new Map(rows.map((row) => [row[0], Number(row[at])]));',
      '}',
    ],
  },
  {
    author: 'std',
    name: 'email',
    createdAt: '-400d',
    readme: 'Sends mail to yourself, or to anybody on the paid plan.',
    code: [
      'export async function email(mail: { to?: string | string[]; subject?: string; html?: string }): Promise<void> {',
      '  const response = await fetch("https://api.val.town/v1/email", {',
      '    method: "POST",',
      '    headers: { Authorization: `Bearer ${Deno.env.get("valtown")}` },',
      '    body: JSON.stringify(mail),',
      '  });',
      '  if (!response.ok) throw new Error((await response.json()).message);',
      '}',
    ],
  },
  {
    author: 'ada',
    name: 'invoices',
    privacy: 'private',
    createdAt: '-45d',
    readme: null,
    code: [
      'export const invoices = [2054, 2055, 2056].map((number) => ({',
      '  number,',
      '  to: `client${number}@example.com`,',
      '  html: `<h1>Invoice ${number}</h1>`,',
      '}));',
    ],
  },
  {
    author: 'ada',
    name: 'sendInvoices',
    type: 'interval',
    privacy: 'private',
    createdAt: '-45d',
    readme: 'On the first of the month. Sends one mail after another, so a failure leaves the rest unsent.',
    code: [
      'import { email } from "https://esm.town/v/std/email";',
      'import { invoices } from "https://esm.town/v/ada/invoices";',
      '',
      'export default async function () {',
      '  for (const { to, number, html } of invoices) {',
      '    await email({ to, subject: `Invoice ${number}`, html });',
      '    console.log(`sent ${number}`);',
      '  }',
      '}',
    ],
  },
  {
    author: 'ada',
    name: 'importCatalogue',
    privacy: 'unlisted',
    createdAt: '-30d',
    readme: 'Reads the catalogue of the supplier and tells about every line that it cannot read.',
    code: [
      'import { fetchText } from "https://esm.sh/fetch-text";',
      '',
      'export async function importCatalogue(url: string) {',
      '  const mistakes = (await fetchText(url)).split("\\n").flatMap((line, index) =>',
      '    /^\\d{13};[^;]+;\\d+\\.\\d\\d$/.test(line) ? [] : [`line ${index + 1}: ${JSON.stringify(line)}`]',
      '  );',
      '  if (mistakes.length > 0) throw new Error(`${mistakes.length} lines are wrong\\n${mistakes.join("\\n")}`);',
      '}',
    ],
  },
  {
    author: 'ada',
    name: 'orderHook',
    type: 'httpnext',
    createdAt: '-50d',
    readme: 'Where the shop posts new orders.',
    code: [
      'export default async function (request: Request): Promise<Response> {',
      '  const order = await request.json();',
      '  if (!order.items?.length) throw { code: "EMPTY_ORDER", order: order.id, retry: false };',
      '  return Response.json({ ok: true });',
      '}',
    ],
  },
  {
    author: 'ada',
    name: 'nightly',
    type: 'interval',
    createdAt: '-80d',
    readme: 'Starts the jobs of the night. A job that fails does not stop the others.',
    code: [
      'import { jobs } from "https://esm.town/v/ada/jobs";',
      '',
      'export default async function () {',
      '  const results = await Promise.allSettled(jobs.map((job) => job()));',
      '  const failed = results.filter(({ status }) => status === "rejected");',
      '  if (failed.length > 1) throw new AggregateError(failed.map(({ reason }) => reason), `${failed.length} jobs failed`);',
      '}',
    ],
  },
  {
    author: 'ada',
    name: 'jobs',
    createdAt: '-80d',
    readme: null,
    code: [
      'export const backUp = async () => {};',
      'export const rotateLogs = async () => {};',
      'export const tidyUploads = async () => {};',
      'export const jobs = [backUp, rotateLogs, tidyUploads];',
    ],
  },
  {
    author: 'ada',
    name: 'renderReport',
    createdAt: '-20d',
    readme: 'Takes its time. Sometimes all the time there is.',
    code: [
      'export async function renderReport(year: number) {',
      '  for (let page = 1; page <= 400; page++) await new Promise((done) => setTimeout(done, 25 * page));',
      '}',
    ],
  },
  {
    author: 'ada',
    name: 'inbox',
    type: 'email',
    createdAt: '-40d',
    readme: 'Files what comes in. Strange mails make strange errors.',
    code: [
      'export default async function (mail: Email) {',
      '  const [, ticket] = mail.subject.match(/\\[#(\\d+)\\]/)!;',
      '  console.log(`ticket ${ticket} from ${mail.from}`);',
      '}',
    ],
  },
  {
    author: 'ada',
    name: 'neverWorked',
    createdAt: '-2d',
    readme: null,
    code: ['export const neverWorked = () => {', '  return fliud.map((x) => x * 2);'],
  },
  {
    author: 'ada',
    name: 'steady',
    type: 'interval',
    createdAt: '-70d',
    readme: 'The one that never fails.',
    code: ['export default function () {', '  console.log("tick");', '}'],
  },
  {
    author: 'grace',
    name: 'mirror',
    type: 'interval',
    privacy: 'private',
    createdAt: '-15d',
    readme: null,
    code: [
      'import { fetchJson } from "https://esm.town/v/ada/fetchJson";',
      '',
      'export default async () => await fetchJson("https://shop.example.com/api/prices");',
    ],
  },
];

const versions: Scenario['versions'] = [
  {
    val: 'ada/parsePrices',
    version: 0,
    createdAt: '-60d',
    code: 'export const parsePrices = (csv: string) => new Map(csv.split("\\n").map((line) => line.split(";")));',
  },
  {
    val: 'ada/parsePrices',
    version: 1,
    createdAt: '-20d',
    code: [
      'export function parsePrices(csv: string): Map<string, number> {',
      '  const rows = csv.split("\\n").map((line) => line.split(";"));',
      '  return new Map(rows.map(([name, price]) => [name, Number(price)]));',
      '}',
    ],
  },
  {
    val: 'ada/parsePrices',
    version: 2,
    createdAt: '-2d',
    code: [
      'export function parsePrices(csv: string): Map<string, number> {',
      '  const [head, ...rows] = csv.split("\\n").map((line) => line.split(";"));',
      '  const at = head.indexOf("price");',
      '  return new Map(rows.map((row) => [row[0], Number(row[at])]));',
      '}',
    ],
  },
];

/** The id of a run that others name. */
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const stack = (name: string, message: string, ...frames: string[]) =>
  [`${name}: ${message}`, ...frames.map((frame) => `    at ${frame}`)].join('\n');

const PRICES_ERROR = "Cannot read properties of undefined (reading 'value')";

const runs = (): Run[] => [
  ...outage(),
  ...prices,
  ...invoices,
  ...catalogue(),
  ...orders,
  ...night,
  ...reports,
  ...mails,
  ...never,
  ...steady(),
  {
    val: 'grace/mirror',
    source: 'interval',
    runStartAt: '-3h',
    duration: '1.2s',
    error: 'TypeError: error sending request',
  },
];

/** Every five minutes for two hours; in the middle the shop is down, in its three ways. */
const outage = (): Run[] =>
  Array.from({ length: 24 }, (_, index): Run => {
    const minutes = 120 - 5 * index;
    const run: Run = {
      val: 'ada/checkShop',
      source: 'interval',
      runStartAt: `-${minutes}m`,
      duration: `${310 + 17 * index}ms`,
    };
    if (index < 8 || index > 17) return { ...run, logs: ['open 128'] };
    if (index < 12)
      return { ...run, error: { message: '503 Service Unavailable from shop.example.com', val: 'ada.fetchJson' } };
    if (index < 15) return { ...run, duration: '10s', error: 'Evaluation timed out after 10 s' };
    return { ...run, error: { error: 'prices is not iterable', val: 'ada.checkShop' }, logs: ['open'] };
  });

const prices: Run[] = [
  {
    val: 'ada/parsePrices',
    version: 2,
    runStartAt: '-1d4h',
    duration: '4ms',
    args: ['name;price\nbolt;0.12'],
    returnValue: { bolt: 0.12 },
  },
  {
    val: 'ada/parsePrices',
    runStartAt: '-1d2h',
    duration: '3ms',
    args: ['name;price\nbolt;0.12'],
    error: {
      name: 'TypeError',
      message: PRICES_ERROR,
      stack: stack(
        'TypeError',
        PRICES_ERROR,
        'parsePrices (https://esm.town/v/ada/parsePrices?v=3:3:32)',
        'main (file:///evaluation.ts:5:16)',
        'eventLoopTick (ext:core/01_core.js:168:7)',
      ),
    },
  },
  {
    val: 'ada/parsePrices',
    source: 'api',
    runStartAt: '-55m',
    duration: '2ms',
    args: [''],
    error: { name: 'TypeError', message: PRICES_ERROR, val: 'ada.parsePrices', line: 3, column: 32 },
  },
  {
    val: 'ada/parsePrices',
    source: 'api',
    runStartAt: '-54m',
    duration: '2ms',
    args: [],
    error: {
      name: 'Error',
      message: 'could not read the price list',
      cause: { name: 'TypeError', message: PRICES_ERROR, cause: { message: 'no header in "bolt;0.12"' } },
    },
  },
];

const invoices: Run[] = [
  {
    val: 'ada/sendInvoices',
    source: 'interval',
    runStartAt: '-20d',
    duration: '2.1s',
    emails: ['2051', '2052', '2053'].map((number) => ({
      to: `client${number}@example.com`,
      subject: `Invoice ${number}`,
    })),
    logs: ['sent 2051', 'sent 2052', 'sent 2053'],
  },
  {
    val: 'ada/sendInvoices',
    source: 'interval',
    runStartAt: '-3h10m',
    duration: '1.7s',
    emails: [
      { to: 'client2054@example.com', subject: 'Invoice 2054' },
      { to: ['client2055@example.com', 'office@example.com'], subject: 'Invoice 2055' },
    ],
    logs: ['sent 2054', 'sent 2055'],
    error: {
      message: 'Too many emails: the free tier sends 2 a minute',
      val: 'std.email',
      status: 429,
      retryAfter: 60,
    },
  },
];

/** An error longer than any window, and one in a single line. */
const catalogue = (): Run[] => {
  const mistakes = Array.from({ length: 240 }, (_, index) => {
    const article = `${4_006_381_300_000 + index * 7};${['Bolt', 'Nut', 'Washer', 'Hinge', 'Bracket'][index % 5]} M${3 + (index % 8)};${index}`;
    return `line ${index * 3 + 2}: ${JSON.stringify(article)}`;
  });
  return [
    {
      val: 'ada/importCatalogue',
      runStartAt: '-7h',
      duration: '6.4s',
      args: ['https://supplier.example.net/catalogue.csv'],
      logs: ['720 lines', ...mistakes.slice(0, 60).map((mistake) => `skipped ${mistake}`)],
      error: `Error: ${mistakes.length} lines are wrong\n${mistakes.join('\n')}`,
    },
    {
      val: 'ada/importCatalogue',
      runStartAt: '-6h50m',
      duration: '5.9s',
      args: ['https://supplier.example.net/catalogue.csv'],
      error: { name: 'RangeError', message: `Invalid array length: ${mistakes.join(' ').replaceAll('"', '')}` },
    },
  ];
};

/** What else JavaScript lets one throw. */
const orders: Run[] = [
  {
    val: 'ada/orderHook',
    source: 'api',
    runStartAt: '-9h',
    duration: '8ms',
    args: [{ method: 'POST', url: '/' }],
    returnValue: { ok: true },
  },
  {
    val: 'ada/orderHook',
    source: 'api',
    runStartAt: '-8h30m',
    duration: '5ms',
    args: [{ method: 'POST', url: '/' }],
    error: { code: 'EMPTY_ORDER', order: 'S-10442', retry: false },
  },
  {
    val: 'ada/orderHook',
    source: 'api',
    runStartAt: '-8h12m',
    duration: '3ms',
    args: [{ method: 'GET', url: '/favicon.ico' }],
    error: 'SyntaxError: Unexpected end of JSON input',
  },
  {
    val: 'ada/orderHook',
    source: 'api',
    runStartAt: '-8h11m',
    duration: '3ms',
    args: [{ method: 'POST', url: '/' }],
    error: `SyntaxError: Unexpected token '<', "<!doctype "... is not valid JSON`,
  },
  { val: 'ada/orderHook', source: 'api', runStartAt: '-5h', duration: '1ms', error: {} },
  { val: 'ada/orderHook', source: 'api', runStartAt: '-4h', duration: '1ms', error: '' },
  { val: 'ada/orderHook', source: 'api', runStartAt: '-2h', duration: '1ms', error: { message: '' } },
  { val: 'ada/orderHook', source: 'api', runStartAt: '-90m', duration: '0ms', error: 'undefined' },
];

/** Runs that started others: one child failed, then two of them, then a child that outlived its parent. */
const night: Run[] = [
  {
    id: idOf(1),
    val: 'ada/nightly',
    source: 'interval',
    runStartAt: '-2d5h',
    duration: '41s',
    logs: ['2 of 3 jobs done'],
  },
  {
    val: 'ada/jobs',
    source: 'api',
    parentId: idOf(1),
    runStartAt: '-2d4h59m59s',
    duration: '38s',
    logs: ['backUp', '1204 keys'],
  },
  {
    val: 'ada/jobs',
    source: 'api',
    parentId: idOf(1),
    runStartAt: '-2d4h59m58s',
    duration: '3s',
    logs: ['rotateLogs'],
  },
  {
    val: 'ada/jobs',
    source: 'api',
    parentId: idOf(1),
    runStartAt: '-2d4h59m57s',
    duration: '2s',
    logs: ['tidyUploads'],
    error: { message: "ENOENT: no such file or directory, scandir '/uploads'", val: 'ada.jobs' },
  },
  {
    id: idOf(2),
    val: 'ada/nightly',
    source: 'interval',
    runStartAt: '-1d5h',
    duration: '12s',
    error: {
      name: 'AggregateError',
      message: '2 jobs failed',
      errors: [{ message: 'disk quota exceeded' }, { message: 'disk quota exceeded' }],
    },
  },
  {
    id: idOf(3),
    val: 'ada/jobs',
    source: 'api',
    parentId: idOf(2),
    runStartAt: '-1d4h59m59s',
    duration: '11s',
    error: 'Error: disk quota exceeded',
  },
  {
    val: 'ada/fetchJson',
    source: 'api',
    parentId: idOf(3),
    runStartAt: '-1d4h59m58s',
    duration: '9s',
    error: { message: '507 Insufficient Storage from storage.example.com', val: 'ada.fetchJson' },
  },
  {
    val: 'ada/jobs',
    source: 'api',
    parentId: idOf(2),
    runStartAt: '-1d4h59m57s',
    duration: '10s',
    error: 'Error: disk quota exceeded',
  },
  {
    id: idOf(4),
    val: 'ada/nightly',
    source: 'interval',
    runStartAt: '-5h',
    duration: '2s',
    error: 'Evaluation cancelled',
  },
  { val: 'ada/jobs', source: 'api', parentId: idOf(4), runStartAt: '-4h59m59s', runEndAt: null, logs: ['backUp'] },
];

/** Some that are not over yet: for a second, for minutes, for days. */
const reports: Run[] = [
  { val: 'ada/renderReport', runStartAt: '-3d2h', runEndAt: null, args: [2021], logs: ['page 1 of 400'] },
  {
    val: 'ada/renderReport',
    runStartAt: '-26h',
    duration: '10m',
    args: [2022],
    error: 'Evaluation timed out after 600 s',
  },
  { val: 'ada/renderReport', runStartAt: '-25h', duration: '4m12s', args: [2023], error: 'Out of memory' },
  { val: 'ada/renderReport', runStartAt: '-4m', runEndAt: null, args: [2024], logs: ['page 131 of 400'] },
  { id: idOf(5), val: 'ada/renderReport', runStartAt: '-1s', runEndAt: null, args: [2025] },
  {
    val: 'ada/fetchJson',
    source: 'api',
    parentId: idOf(5),
    runStartAt: '-500ms',
    runEndAt: null,
    args: ['https://shop.example.com/api/prices'],
  },
];

/** Texts that a page must not take for markup, nor a terminal for commands. */
const mails: Run[] = [
  {
    val: 'ada/inbox',
    source: 'email',
    runStartAt: '-30h',
    duration: '6ms',
    args: [{ from: 'mira@example.org', subject: 'Wrong size [#411]' }],
    logs: ['ticket 411 from mira@example.org'],
  },
  {
    val: 'ada/inbox',
    source: 'email',
    runStartAt: '-28h',
    duration: '5ms',
    args: [{ from: 'joon@example.org', subject: 'Hello?' }],
    error: "TypeError: object null is not iterable (cannot read property 'Symbol(Symbol.iterator)')",
  },
  {
    val: 'ada/inbox',
    source: 'email',
    runStartAt: '-27h',
    duration: '5ms',
    error: { message: '<script>alert("x")</script> & <b>"bold"</b>', val: 'ada.inbox' },
  },
  {
    val: 'ada/inbox',
    source: 'email',
    runStartAt: '-26h30m',
    duration: '5ms',
    error: '\u001b[31mError\u001b[0m: Größe „XL“ gibt es nicht — 在庫切れ 🧦',
  },
  {
    val: 'ada/inbox',
    source: 'email',
    runStartAt: '-26h20m',
    duration: '5ms',
    error: 'line one\r\nline two\n\n\tindented\n',
  },
  {
    val: 'ada/inbox',
    source: 'email',
    runStartAt: '-40m',
    duration: '7ms',
    logs: ['before', { from: 'ken@example.org', headers: { 'x-spam': ['yes', null] } }, ['a', 1], null, true],
    error: 'Error: spam',
  },
];

const never: Run[] = ['-2d', '-47h', '-46h', '-23h', '-12m'].map((runStartAt) => ({
  val: 'ada/neverWorked',
  runStartAt,
  duration: '1ms',
  error: {
    message:
      "The module's source code could not be parsed: Expected '}', got '<eof>' at https://esm.town/v/ada/neverWorked:2:32",
    val: 'ada.neverWorked',
  },
}));

const steady = (): Run[] =>
  Array.from({ length: 12 }, (_, index) => ({
    val: 'ada/steady',
    source: 'interval',
    runStartAt: `-${12 - index}h`,
    duration: '3ms',
    logs: ['tick'],
  }));

const likes: Scenario['likes'] = [
  { user: 'grace', val: 'ada/fetchJson', createdAt: '-80d' },
  { user: 'grace', val: 'ada/checkShop', createdAt: '-2d' },
];

const comments: Scenario['comments'] = [
  {
    author: 'grace',
    val: 'ada/parsePrices',
    createdAt: '-1d',
    comment: 'Version 3 fails for every list, even for the one in your own test. Version 2 was fine.',
  },
  {
    author: 'ada',
    val: 'ada/parsePrices',
    createdAt: '-23h',
    comment: 'I see it. That is what I get for editing at midnight.',
  },
  {
    author: 'grace',
    val: 'ada/checkShop',
    createdAt: '-50m',
    comment: ['Down again since half an hour:', '', '```', '503 Service Unavailable', '```'],
  },
];
