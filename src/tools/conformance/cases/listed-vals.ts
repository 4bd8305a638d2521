import { type Case, chosen, operation, recorded, type Step } from '../case.js';
import { exactPage } from './project-steps.js';
import {
  basicVal,
  errorBody,
  having,
  page,
  pageContaining,
  pageOf,
  pageOfLength,
  pageWith,
  pageWithout,
  sameAs,
  shows,
} from './schemas.js';
import { make, READ } from './steps.js';

const LIST = 'GET /v1/vals';
const OWN = `${LIST}?userId={me.id}`;
/** A val by its id has more keys than one in a list. */
const listed = (...names: readonly string[]) =>
  shows(
    having({
      data: {
        ...{ type: 'array', minItems: names.length, maxItems: names.length },
        items: names.map((name) => sameAs(name, basicVal)),
      },
    }),
  );
const two = [make({ name: '{new.b}', privacy: 'public' }), { send: READ, save: 'first' }, make({ privacy: 'public' })];
const firstPage: Step = { send: `${OWN}&limit=1`, save: 'page' };
const all: Step = { send: `${LIST}?limit=100`, save: 'all' };

/** The cases of the list of the vals of all users, which is paged by time. */
export const listedValCases: readonly Case[] = operation('listVals', LIST, [
  recorded('list', {
    'items: Each item has exactly the documented keys': [
      `${LIST}?limit=100`,
      shows({ allOf: [page, pageOf(basicVal), pageOfLength(100, 1)] }),
    ],
    'same-val: A new public val is listed, as it was created': [
      [make({ privacy: 'public', type: 'http' }), `${LIST}?limit=100`],
      shows(pageContaining(sameAs('made', basicVal))),
    ],
    ...Object.fromEntries(
      (['unlisted', 'private'] as const).flatMap((privacy) => [
        [`${privacy}: The caller sees what is ${privacy}`, [[make({ privacy }), `${LIST}?limit=1`], listed('made')]],
        ...(['second', 'anonymous'] as const).map((as) => [
          `${privacy}-${as}: Others do not see what is ${privacy}`,
          [[make({ privacy }), { send: `${LIST}?limit=100`, as }], shows(pageWithout({ id: '{made.id}' }))],
        ]),
      ]),
    ),
    'second: Others see what is public': [
      [make({ privacy: 'public' }), { send: `${LIST}?limit=100`, as: 'second' }],
      shows(pageWith({ id: '{made.id}' })),
    ],
  }),
  recorded('cursor', {
    'privacy: A public val is not private': [
      [make({ privacy: 'public' }), `${OWN}&privacy=private&limit=100`],
      shows(pageWithout({ id: '{made.id}' })),
    ],
    'privacy-private: The only private vals are vals of the caller': [
      [make({ privacy: 'private' }), `${LIST}?privacy=private&limit=1`],
      listed('made'),
    ],
    'privacy-open: privacy=open is a 400': [`${LIST}?privacy=open`, 400],
    'user: A val of the caller is of no other user': [
      [make({ privacy: 'public' }), `${LIST}?userId={second.id}&limit=100`],
      shows(pageWithout({ id: '{made.id}' })),
    ],
    'no-uuid: userId=1 is a 400': [`${LIST}?userId=1`, 400],
    'next: The next page has the next val': [[...two, firstPage, 'GET {page.links.next}'], listed('first')],
    'self: The first page leads to itself and to the next one': [
      [...two, firstPage.send],
      { ...listed('made'), links: { self: { userId: '{me.id}', limit: '1' }, next: true } },
    ],
    'both: Two vals are on a page, the later one first': [[...two, `${OWN}&limit=2`], listed('made', 'first')],
    'limit-1: limit=1 is the first val of the list': [
      [all, `${LIST}?limit=1`],
      { status: 200, listed: { of: 'all', limit: 1 } },
    ],
    'limit-2: limit=2 is the first two': [[all, `${LIST}?limit=2`], { status: 200, listed: { of: 'all', limit: 2 } }],
    'limit-0: limit=0 is a 400': [`${LIST}?limit=0`, 400],
    'limit-101: limit=101 is a 400': [`${LIST}?limit=101`, 400],
    'offset-0: offset=0 leaves out none': [[make(), `${OWN}&limit=1&offset=0`], listed('made')],
    'offset-negative: offset=-1 is a 400': [`${LIST}?offset=-1`, 400],
  }),
  chosen('token', {
    'anonymous: All vals are public': [
      { send: `${LIST}?limit=100`, as: 'anonymous' },
      shows(pageOf(having({ privacy: 'public', public: true }))),
    ],
  }),
  chosen('order', {
    'order: The list is sorted by createdAt, the latest first': [
      [...two, `${LIST}?limit=100`],
      { status: 200, latestFirst: 'createdAt' },
    ],
    'cursor: Vals of the time of the cursor are on the page': [
      [make(), `${OWN}&cursor={made.createdAt}`],
      shows(pageWith({ id: '{made.id}' })),
    ],
    'past: There is none before 1970': [`${LIST}?cursor=1969-01-01T00:00:00Z`, exactPage()],
  }),
  chosen('cursor-form', {
    'whole: A whole link leads to the next page': [
      [...two, firstPage, `${OWN}&limit=1&cursor={encoded.page.links.next}`],
      listed('first'),
    ],
    'cursor-text: cursor=yesterday is a 400': [`${LIST}?cursor=yesterday`, { status: 400, body: errorBody(400) }],
  }),
  chosen('ties', {
    'no-prev: The next page has no link to the previous one': [
      [...two, firstPage, 'GET {page.links.next}'],
      { status: 200, links: { prev: null } },
    ],
  }),
  chosen('unknown-user', {
    'unknown: An unknown user has an empty list': [`${LIST}?userId={unknown}`, exactPage()],
  }),
]);
