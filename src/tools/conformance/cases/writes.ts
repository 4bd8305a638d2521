import { type Case, chosen, operation, type Row, type Rows, recorded, type Step, specified } from '../case.js';
import { extendedVal, shows, values } from './schemas.js';
import { addVersion, LIST_VERSIONS, make, put, READ, update } from './steps.js';

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
const reads = (steps: readonly Step[], expected: Values): Row => [[...steps, READ], values(expected)];
type Values = Readonly<Record<string, unknown>>;

/** Checks that the val in the response of the last request is the one that is read next. */
const written = (...steps: readonly Step[]): Row => [
  [...steps, 'GET /v1/vals/{written.id}'],
  { status: 200, equals: 'written' },
];
/** Checks the times of a val that gets a version later than it was created. */
const times = (step: Step): Row =>
  reads([make(SETTINGS), { ...step, pause: 5 }, { send: LIST_VERSIONS, save: 'all' }], {
    ...{ createdAt: '{made.createdAt}', versionCreatedAt: '{all.data.0.createdAt}' },
  });
const keeps = (step: Step, expected: Values, id = 'keeps-texts'): Rows => ({
  [`${id}: What was sent keeps all characters`]: reads(step.save ? [step] : [make(), step], expected),
});
const save = (step: Step, name: string): Step => ({ ...step, save: name });

const TEXT_CHECKS: Readonly<Record<string, readonly Rows[]>> = {
  createVal: Object.entries(TEXTS).map(([name, text]) =>
    keeps(make({ code: text, readme: text }), { code: text, readme: text }, `keeps-${name}`),
  ),
  upsertVal: [
    keeps(put({ code: TEXT }), { code: TEXT }),
    keeps(save(put({ code: TEXT }), 'made'), { code: TEXT }, 'keeps-texts-of-new'),
  ],
  createVersion: [keeps(addVersion(TEXT, { readme: TEXT }), { code: TEXT, readme: TEXT })],
  updateVal: [keeps(update({ readme: TEXT }), { readme: TEXT })],
};
const README_CHECKS: Readonly<Record<string, readonly Step[]>> = {
  createVal: [make({ readme: '' })],
  createVersion: [make(SETTINGS), addVersion('2', { readme: '' })],
  updateVal: [make(SETTINGS), update({ readme: '' })],
};
const EQUAL = 'The val that is read next equals the response';
const TIMES = 'times: A new version has its own time, and the val its creation time';

/** What a val has after a request that writes: what was sent, and what the response had. */
export const writeCases: readonly Case[] = [
  ...Object.entries(TEXT_CHECKS).flatMap(([name, rows]) =>
    operation(name, '*', [specified('text', Object.fromEntries(rows.flatMap((each) => Object.entries(each))))]),
  ),
  ...Object.entries(README_CHECKS).flatMap(([name, steps]) =>
    operation(name, '*', [
      chosen('readme', {
        'empty-readme: An empty readme is empty': reads(steps, { readme: '' }),
      }),
    ]),
  ),
  ...operation('upsertVal', 'PUT /v1/vals', [
    chosen('response', {
      'keys: The response has exactly the keys of a val': [put(), shows(extendedVal)],
      [`written-new: ${EQUAL}`]: written(save(put({ code: '2' }), 'written')),
      [`written: ${EQUAL}`]: written(make(SETTINGS), save(put({ code: '2' }), 'written')),
    }),
    recorded('update', {
      [TIMES]: times(put({ code: '2' })),
    }),
  ]),
  ...operation('createVersion', 'POST /v1/vals/{val_id}/versions', [
    recorded('created', {
      [`written: ${EQUAL}`]: written(make(SETTINGS), save(addVersion('2'), 'written')),
      [TIMES]: times(addVersion('2')),
    }),
  ]),
];
