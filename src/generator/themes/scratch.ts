import type { Template } from './template.js';

const NAMES = [
  '%adjective%%Colour%%Creature%',
  '%adjective%%Colour%%Creature%',
  '%adjective%%Creature%',
  'test',
  'scratch',
  'playground',
  'untitled',
  'demo',
  'temp',
];
const NAMED = {
  adjective: 'apt|brave|calm|clever|eager|gentle|keen|lucky|merry|nimble|quiet|warm|witty|wonderful|amiable|proud',
  colour: 'amber|azure|coral|crimson|emerald|gold|indigo|jade|lime|magenta|olive|plum|scarlet|teal|violet',
  creature: 'badger|bison|crane|falcon|gecko|gorilla|heron|lemur|marmoset|otter|puffin|raven|scallop|walrus|wren',
};

/** Abandoned experiments, with generated or generic names. */
export const scratch: readonly Template[] = [
  {
    type: 'script',
    names: NAMES,
    params: { ...NAMED, what: 'hello|it works|test|hi there|one two three', who: '@person' },
    tweaks: ['what'],
    stages: 2,
    popularity: 0.1,
    code: `
     <1|console.log("%what%");
     1+|const greet = (name: string) => ~%what%, #{name}~;
     1+|
     2+|export default greet("%who%");
  !bug 1+|console.log(greet("%who%"));
   bug 1+|console.log(greet("%who%").value.trim());
    `,
    bug: { from: 1, error: "TypeError: Cannot read properties of undefined (reading 'trim')" },
    runs: [
      { when: '<1', ms: '1..6', logs: ['%what%'] },
      { when: '1+', ms: '1..6', logs: ['%what%, %who%'] },
    ],
  },
  {
    type: 'script',
    names: NAMES,
    params: { ...NAMED, max: '100..5000*100' },
    tweaks: ['max'],
    stages: 2,
    popularity: 0.1,
    code: `
     <1|const primes: number[] = [];
     <1|for (let n = 2; n < %max%; n++) if (primes.every((p) => n % p)) primes.push(n);
     1+|function* primes() {
     1+|  const found: number[] = [];
     1+|  for (let n = 2; ; n++) {
     1+|    if (found.every((p) => n % p !== 0)) {
     1+|      found.push(n);
     1+|      yield n;
     1+|    }
     1+|  }
     1+|}
     1+|
     1+|let last = 0;
     1+|for (const prime of primes()) {
  !bug 1+|  if (prime > %max%) break;
   bug 1+|  if (prime.value.last > %max%) break;
     1+|  last = prime;
     1+|}
     <1|console.log(primes.at(-1));
     1+|console.log(last);
    `,
    bug: { from: 1, error: "TypeError: Cannot read properties of undefined (reading 'last')" },
    runs: [{ ms: '2..900', logs: ['%max%'] }],
    errors: ['Evaluation timed out after 10 s'],
    praise: ['Lovely, a generator.'],
  },
  {
    type: 'script',
    names: [...NAMES, 'tryFetch', 'fetchTest'],
    params: { ...NAMED, site: '@site' },
    tweaks: ['site'],
    uses: ['retry'],
    stages: 2,
    popularity: 0.1,
    code: `
  retry 2+|import { %retry% } from "%retry.url%";
  retry 2+|
  retry 2+|const response = await %retry%(() => fetch("https://%site%"));
 !retry 2+|const response = await fetch("https://%site%");
     <2|const response = await fetch("https://%site%");
     1+|console.log(response.status, response.headers.get("content-type"));
  !bug |console.log((await response.text()).length);
   bug |console.log((await response.text().length.valueOf()) + response.body.text());
    `,
    bug: { error: 'TypeError: response.body.text is not a function' },
    errors: ['TypeError: error sending request for url (https://%site%/)'],
    runs: [
      { when: '<1', params: { n: '12400..12900' }, ms: '60..480', logs: ['%n%'] },
      { when: '1+', params: { n: '12400..12900' }, ms: '60..480', logs: [[200, 'text/html; charset=utf-8'], '%n%'] },
    ],
  },
  {
    type: 'http',
    names: [...NAMES, 'helloWorld', 'hello', 'myFirstVal'],
    params: { ...NAMED, text: 'Hello, world!|Hi!|It is alive|Hello from a val|👋', colour2: '@colour' },
    tweaks: ['text', 'colour2'],
    stages: 2,
    popularity: 0.1,
    code: `
       |%onHttp%
     1+|  const name = new URL(%req%.url).searchParams.get("name");
  !bug <1|  return new Response("%text%");
  !bug 1+ <2|  return new Response(name ? ~%text% #{name}~ : "%text%");
  !bug 2+|  const html = ~<h1 style="color: %colour2%">%text% #{name ?? ""}</h1>~;
  !bug 2+|  return new Response(html, { headers: { "content-type": "text/html" } });
   bug |  return new Response("%text%".html());
       |%end%
    `,
    bug: { error: 'TypeError: "%text%".html is not a function' },
    runs: [{ params: { p: '@path' }, ms: '1..8', args: [{ method: 'GET', url: '%p%' }] }],
    praise: ['Hello to you, too!'],
  },
  {
    type: 'script',
    names: [...NAMES, 'adventOfCode', 'day1', 'puzzle'],
    params: { ...NAMED, a: '3..9', b: '10..60', c: '61..99' },
    tweaks: ['b', 'c'],
    stages: 2,
    popularity: 0.1,
    code: `
       |const input = ~%a%
       |%b%
       |%c%~;
       |
  !bug |const numbers = input.split("\\n").map(Number);
   bug |const numbers = input.lines().map(Number);
     <1|console.log(numbers.reduce((sum, number) => sum + number));
     1+|const increases = numbers.filter((number, i) => i > 0 && number > numbers[i - 1]);
     1+|console.log(~part one: #{increases.length}~);
     2+|console.log(~part two: #{Math.max(...numbers) - Math.min(...numbers)}~);
    `,
    bug: { error: 'TypeError: input.lines is not a function' },
    runs: [
      { when: '1+', ms: '1..5', logs: ['part one: 2'] },
      { when: '<1', params: { n: '90..160' }, ms: '1..5', logs: ['%n%'] },
    ],
    praise: ['Shorter than mine.'],
  },
];
