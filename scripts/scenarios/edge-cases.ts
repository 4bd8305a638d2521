import { API_LIMITS } from '#vals/lib/limits.schema.js';
import { PRIVACIES, VAL_TYPES } from '#vals/service/service.collection.js';
import type { Scenario } from './scenario.js';

/** What is allowed, and yet forgotten: the shortest, the longest, the empty, the deleted, and every alphabet. */
export const edgeCases = (): Scenario => ({ users, vals, versions, runs, likes, comments });

const NAMELESS = '6e0f3a52-5d0e-4b6a-9a3f-0c1d2e3f4a5b';
const LONGEST_USERNAME = 'TheOneWhoCouldNotDecideOnAnyShorterNameThanThis_';
const LONGEST_NAME = 'convertsDegreesCelsiusToFahrenheitAndBackAgain01';

const users: Scenario['users'] = [
  { username: 'ada', tier: 'pro', bio: 'Zoë 🧮 アダ — أدا · “quotes” & <b>tags</b>\n\nA second paragraph.' },
  {
    username: LONGEST_USERNAME,
    tier: null,
    bio: 'x'.repeat(1_000).replaceAll(/x{50}/g, 'A very long line without an end, or so it seems… '),
  },
  { username: 'x', bio: '' },
  { username: 'Mixed_Case_99', email: "o'neil+vals@mail.sub.example.com" },
  { username: null, id: NAMELESS, token: 'nameless-token', email: 'nameless@example.net' },
];

/** A picture of rings, a line for each row of it, and exactly as many characters as code may have. */
function longestCode(): string {
  const [start, end, width, frame] = ['export const rings = [\n', '];\n', 494, '  "",\n'.length];
  const rows = Math.floor((API_LIMITS.code - start.length - end.length) / (width + frame));
  const rowAt = (y: number) => Array.from({ length: width }, (_, x) => signAt(x - width / 2, y - rows / 2)).join('');
  const body = Array.from({ length: rows }, (_, y) => `  "${rowAt(y)}",\n`).join('');
  const left = API_LIMITS.code - start.length - body.length - end.length;
  return `${start}${body}  //${'-'.repeat(left - 5)}\n${end}`;
}

const signAt = (x: number, y: number) => '#.'.charAt(Math.floor(Math.sqrt(x * x + y * y) / 40) % 2);

function longestReadme(): string {
  const head = '# A handbook\n\nAs long as a readme may be.\n';
  const chapters = Array.from({ length: 99 }, (_, index) =>
    [
      `\n## ${index + 1}. Tides\n`,
      `High water comes ${index + 1} × 50 minutes later than on the first day, low water about six hours after it.`,
      `| port | height |\n| --- | --- |\n| Brest | ${(5 + index / 10).toFixed(1)} m |\n| Saint-Malo | ${(9 + index / 10).toFixed(1)} m |\n`,
    ].join('\n'),
  ).join('');
  return `${(head + chapters).slice(0, API_LIMITS.readme - 1)}.`;
}

const ESCAPES = [
  String.raw`export const escapes = ["\"", '\'', "\\", "\/", "\b\f\n\r\t\v\0", "\x41", "\u0041", "\u{1F600}", "\
"];`,
  'export const raw = `tab\there, ${"nested `template`"} and \\${not}`;',
  'export const regex = /["\'`\\/\\\\]+\\/\\/ not a comment/gu; // "not a string',
  'export const html = "<script>alert(1)</script>&lt;&amp;&#39;</textarea>";',
  'export const separators = "\u2028\u2029\u00a0\u200b\ufeff";',
  'export const bell = "\u0007\u001b[31mred\u001b[0m";\r',
  'export const crlf = 1;\r',
  'export const percent = "%s %d %20 {url} ${token} $1 $& \\\\1";',
  "export const proto = { __proto__: null, constructor: 1, 'a.b': 2, '': 3 };",
].join('\n');

const UNICODE = [
  'export const größe = "ß"; // ẞ has a capital since 2017',
  'export const 温度 = "36,6 °C";',
  'export const family = "👩‍👩‍👧‍👦 🇪🇺 👍🏽 ❤️‍🔥"; // one each, though made of many',
  'export const rtl = "שלום and مرحبا in one line";',
  'export const combining = "e\u0301 is not é, and Z\u0351\u036e\u0343a\u0322\u034dl\u0356\u0315g\u0321\u0345o\u0328";',
  'export const mathematical = "𝒳 ∈ ℝⁿ, ∀ε>0 ∃δ";',
].join('\n');

const everyKind = VAL_TYPES.flatMap((type) =>
  PRIVACIES.map((privacy) => ({
    author: 'Mixed_Case_99',
    name: `${type}_${privacy}`,
    type,
    privacy,
    createdAt: '-30d',
    code: `// ${type}, ${privacy}\nexport default () => ${JSON.stringify(privacy)};`,
  })),
);

const vals: Scenario['vals'] = [
  { author: 'ada', name: 'a', createdAt: '-300d', code: '1' },
  {
    author: 'ada',
    name: LONGEST_NAME,
    createdAt: '-299d',
    code: 'export const toFahrenheit = (c: number) => (c * 9) / 5 + 32;',
  },
  { author: 'ada', name: 'longestCode', createdAt: '-298d', code: longestCode() },
  {
    author: 'ada',
    name: 'longestReadme',
    createdAt: '-297d',
    readme: longestReadme(),
    code: 'export const tide = 12.42;',
  },
  { author: 'ada', name: 'emptyReadme', createdAt: '-296d', readme: '', code: 'export const readme = "";' },
  { author: 'ada', name: 'noReadme', createdAt: '-295d', readme: null, code: 'export const readme = null;' },
  { author: 'ada', name: 'blankReadme', createdAt: '-294d', readme: ' \n\t\n', code: 'export const readme = " ";' },
  { author: 'ada', name: 'blankCode', createdAt: '-293d', code: '\n' },
  { author: 'ada', name: 'escapes', createdAt: '-292d', readme: ESCAPES, code: ESCAPES },
  {
    author: 'ada',
    name: 'unicode',
    createdAt: '-291d',
    readme: '# Ünïcödé 🦄\n\n> العربية · 日本語 · Ελληνικά',
    code: UNICODE,
  },
  { author: 'ada', name: 'longLine', createdAt: '-290d', code: `export const ones = "${'1'.repeat(5_000)}";` },
  { author: 'ada', name: 'manyLines', createdAt: '-289d', code: `${'\n'.repeat(1_000)}export const last = 1_001;` },
  { author: 'ada', name: 'neverEdited', createdAt: '-288d', version: 0, code: 'export const edits = 0;' },
  {
    author: 'ada',
    name: 'oftenEdited',
    createdAt: '-100d',
    versionCreatedAt: '-1h',
    version: 150,
    code: 'export const edits = 150;',
  },
  {
    author: 'ada',
    name: 'holes',
    createdAt: '-200d',
    versionCreatedAt: '-50d',
    version: 9,
    nextVersion: 15,
    code: 'export const left = [0, 3, 4, 9];',
  },
  {
    author: 'ada',
    name: 'firstDeleted',
    createdAt: '-200d',
    versionCreatedAt: '-40d',
    version: 7,
    code: 'export const before = "gone";',
  },
  {
    author: 'ada',
    name: 'lastNumber',
    createdAt: '-10d',
    version: 2_147_483_646,
    code: 'export const almost = 2 ** 31 - 2;',
  },
  { author: 'ada', name: 'epoch', createdAt: '1970-01-01T00:00:00Z', code: 'export const born = 0;' },
  {
    author: 'ada',
    name: 'leapDay',
    createdAt: '2024-02-29T23:59:59.999+14:00',
    code: 'export const zone = "Pacific/Kiritimati";',
  },
  {
    author: 'ada',
    name: 'imports',
    createdAt: '-20d',
    code: [
      'import { self } from "https://esm.town/v/ada/imports";',
      'import { gone } from "https://esm.town/v/ada/wasDeleted";',
      'import { nobody } from "https://esm.town/v/nobody/nothing";',
      'import { toFahrenheit } from "https://esm.town/v/@ada/convertsDegreesCelsiusToFahrenheitAndBackAgain01?v=0";',
      'import secret from "https://esm.town/v/Mixed_Case_99/script_private";',
      "export * from 'https://esm.town/v/MIXED_case_99/SCRIPT_public';",
      'const later = () => import("https://esm.town/v/x/Hello");',
      '// import { comment } from "https://esm.town/v/x/Hello";',
      'export { self, gone, nobody, toFahrenheit, secret, later };',
    ],
  },
  { author: 'ada', name: 'hello', createdAt: '-19d', code: 'export const hello = "ada";' },
  { author: 'x', name: 'Hello', createdAt: '-19d', code: 'export const Hello = "x";' },
  {
    author: LONGEST_USERNAME,
    name: `${LONGEST_NAME.slice(0, 46)}02`,
    createdAt: '-18d',
    code: 'import "https://esm.town/v/ada/a";',
  },
  {
    author: NAMELESS,
    name: 'byNobody',
    id: 'b2c5a1de-3f4b-4c6d-8e7f-9a0b1c2d3e4f',
    createdAt: '-17d',
    code: 'import { hello } from "https://esm.town/v/ada/hello";\nhello;',
  },
  ...everyKind,
];

const versions: Scenario['versions'] = [
  ...Array.from({ length: 150 }, (_, version) => ({
    val: 'ada/oftenEdited',
    version,
    createdAt: version === 0 ? '-100d' : `-${(150 - version) * 15}h`,
    code: `export const edits = ${version};`,
  })),
  { val: 'ada/holes', version: 0, createdAt: '-200d', code: 'export const left = [0];' },
  { val: 'ada/holes', version: 3, createdAt: '-150d', code: 'export const left = [0, 3];' },
  { val: 'ada/holes', version: 4, createdAt: '-149d', code: 'export const left = [0, 3, 4];' },
];

const runs: Scenario['runs'] = [
  { val: 'ada/a', runStartAt: '-1d', duration: '0ms' },
  { val: 'ada/a', runStartAt: '-1d', duration: '0ms', args: ['at the same instant as the one before'] },
  { val: 'ada/epoch', runStartAt: '1970-01-01T00:00:00Z', runEndAt: '2024-02-29T12:00:00Z' },
  { val: 'ada/holes', runStartAt: '-60d', version: 7, duration: '12ms', returnValue: 'of a version that was deleted' },
  { val: 'ada/firstDeleted', runStartAt: '-190d', version: 0, duration: '3ms' },
  { val: 'ada/escapes', runStartAt: '-2h', args: [ESCAPES], logs: [ESCAPES], returnValue: ESCAPES, duration: '1ms' },
  {
    val: 'ada/unicode',
    runStartAt: '-2h',
    logs: [UNICODE],
    returnValue: { größe: 'ß', 温度: 36.6, '👍🏽': true, '': null },
    duration: '1ms',
  },
  ...[null, true, 0, -0.5, 1e308, 5e-324, 9_007_199_254_740_991, '', ' ', [], {}, [[[[]]]], [null]].map(
    (returnValue, index) => ({
      val: 'ada/hello',
      source: 'api' as const,
      runStartAt: `-${90 - index}m`,
      duration: '1ms',
      args: [returnValue],
      returnValue,
    }),
  ),
  {
    val: 'ada/hello',
    source: 'email',
    runStartAt: '-30m',
    duration: '1ms',
    emails: [{}, { to: [], subject: '' }],
    logs: [''],
  },
  { val: 'Mixed_Case_99/interval_private', source: 'interval', runStartAt: '-10m', duration: '1ms' },
  { val: 'Mixed_Case_99/interval_public', source: 'interval', runStartAt: '-10m', duration: '1ms' },
  { val: 'b2c5a1de-3f4b-4c6d-8e7f-9a0b1c2d3e4f', runStartAt: '-5m', duration: '1ms' },
];

const likes: Scenario['likes'] = [
  // Liked while it was public.
  { user: 'ada', val: 'Mixed_Case_99/script_private', createdAt: '-25d' },
  { user: 'ada', val: 'Mixed_Case_99/script_unlisted', createdAt: '-25d' },
  { user: 'ada', val: 'Mixed_Case_99/script_public', createdAt: '-25d' },
  { user: 'ada', val: 'ada/hello', createdAt: '-3d' },
  { user: 'x', val: 'ada/hello', createdAt: '-3d' },
  { user: NAMELESS, val: 'ada/hello', createdAt: '-3d' },
  { user: LONGEST_USERNAME, val: `ada/${LONGEST_NAME}`, createdAt: '-1d' },
  { user: 'ada', val: 'b2c5a1de-3f4b-4c6d-8e7f-9a0b1c2d3e4f', createdAt: '-1d' },
];

const comments: Scenario['comments'] = [
  { author: NAMELESS, val: 'ada/hello', createdAt: '-2d', comment: 'From somebody without a name.' },
  { author: 'x', val: 'ada/unicode', createdAt: '-2d', comment: '🦄'.repeat(200) },
  { author: 'x', val: 'ada/escapes', createdAt: '-36h', comment: ESCAPES },
  {
    author: LONGEST_USERNAME,
    val: `ada/${LONGEST_NAME}`,
    createdAt: '-1d',
    comment: `${'It goes on, and on, and on. '.repeat(300)}\n\nThat is all.`,
  },
  {
    author: 'ada',
    val: 'Mixed_Case_99/script_private',
    createdAt: '-24d',
    comment: 'Nice, and still here although you hid it.',
  },
  {
    author: 'ada',
    val: 'Mixed_Case_99/script_unlisted',
    createdAt: '-24d',
    comment: [
      '# A heading',
      '',
      '- [ ] to do',
      '- [x] done',
      '',
      '```ts',
      'const a = `b`;',
      '```',
      '',
      '![](https://example.com/a.png)',
    ],
  },
  { author: 'ada', val: 'ada/a', createdAt: '-1h', comment: '.' },
];
