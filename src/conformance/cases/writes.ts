import { type Case, type Check, chosen, operation, recorded, type Step, specified } from '../case.js';
import { addVersion, fields, make } from './new-val.js';
import { having } from './schemas.js';

/** Characters that a service may lose: line breaks and spaces at the ends, controls, and those that take two code units. */
const TEXTS = {
  'line-breaks': '// 1\r\n// 2\r// 3\n',
  spaces: '\n \t// 1 \t\n\n',
  controls: '// \u0001\u0008\u000b\u000c\u001b\u007f',
  separators: '// \u0085\u2028\u2029\u00a0\u200b',
  astral: '// \u{1d4b3}\u{1f600} e\u0301 \u00e9',
  'byte-order-mark': '\ufeff// 1\ufeff',
};
const TEXT = Object.values(TEXTS).join('\n');
const SETTINGS = { privacy: 'unlisted', type: 'http', readme: '# a' };

/** Checks the values of the val `made` after requests. */
const reads = (
  id: string,
  title: string,
  arrange: readonly Step[],
  values: Readonly<Record<string, unknown>>,
): Check => ({
  ...{ id, title, level: 'write', arrange },
  ...{ act: 'GET /v1/vals/{made.id}', expect: { status: 200, body: having(values) } },
});
/** Checks that the val in the response of the last request is the one that is read next. */
const written = (id: string, ...arrange: readonly Step[]): Check => ({
  ...{ id, title: 'The val that is read next equals the response', level: 'write', arrange },
  ...{ act: 'GET /v1/vals/{written.id}', expect: { status: 200, equals: 'written' } },
});
/** Checks the times of a val that gets a version later than it was created. */
const times = (step: Step): Check =>
  reads(
    'times',
    'A new version has its own time, and the val its creation time',
    [make(SETTINGS), { ...step, pause: 5 }, { send: 'GET /v1/vals/{made.id}/versions', save: 'all' }],
    { createdAt: '{made.createdAt}', versionCreatedAt: '{all.data.0.createdAt}' },
  );
const keeps = (step: Step, values: Readonly<Record<string, unknown>>, id = 'keeps-texts'): Check =>
  reads(id, 'What was sent keeps all characters', step.save ? [step] : [make(), step], values);
const keepsNoReadme = (...arrange: readonly Step[]): Check =>
  reads('empty-readme', 'An empty readme is empty', arrange, { readme: '' });

const put = (code: string, save?: string): Step => ({
  ...{ send: 'PUT /v1/vals', body: fields({ code }) },
  ...(save && { save }),
});
const update = (readme: string): Step => ({ send: 'PUT /v1/vals/{made.id}', body: { readme } });

const TEXT_CHECKS: Readonly<Record<string, readonly Check[]>> = {
  createVal: Object.entries(TEXTS).map(([name, text]) =>
    keeps(make({ code: text, readme: text }), { code: text, readme: text }, `keeps-${name}`),
  ),
  upsertVal: [keeps(put(TEXT), { code: TEXT }), keeps(put(TEXT, 'made'), { code: TEXT }, 'keeps-texts-of-new')],
  createVersion: [keeps(addVersion(TEXT, { readme: TEXT }), { code: TEXT, readme: TEXT })],
  updateVal: [keeps(update(TEXT), { readme: TEXT })],
};
const README_CHECKS: Readonly<Record<string, Check>> = {
  createVal: keepsNoReadme(make({ readme: '' })),
  createVersion: keepsNoReadme(make(SETTINGS), addVersion('2', { readme: '' })),
  updateVal: keepsNoReadme(make(SETTINGS), update('')),
};

/** What a val has after a request that writes: what was sent, and what the response had. */
export const writeCases: readonly Case[] = [
  ...Object.entries(TEXT_CHECKS).flatMap(([name, checks]) =>
    operation(name, '*', [
      specified('A val has the code and the readme that were sent, with all characters.', ...checks),
    ]),
  ),
  ...Object.entries(README_CHECKS).flatMap(([name, check]) =>
    operation(name, '*', [chosen('An empty readme stays empty; a val without a readme has null.', check)]),
  ),
  ...operation('upsertVal', 'PUT /v1/vals', [
    chosen(
      'The response is the val, as in earlier documents; later ones do not say.',
      written('written-new', put('2', 'written')),
      written('written', make(SETTINGS), put('2', 'written')),
    ),
    recorded('An update adds a version and leaves the rest of the val unchanged.', times(put('2'))),
  ]),
  ...operation('createVersion', 'POST /v1/vals/{val_id}/versions', [
    recorded(
      'The response is 201 with the val at its new version.',
      written('written', make(SETTINGS), { ...addVersion('2'), save: 'written' }),
      times(addVersion('2')),
    ),
  ]),
];
