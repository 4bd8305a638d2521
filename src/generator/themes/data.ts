import type { Theme } from './template.js';

export const data: Theme = {
  name: 'data',
  bios: [
    'Data person. My tables have tables.',
    'Journalist with SQL.',
    'CSV is my love language.',
    'Statistics teacher in %place%.',
  ],
  templates: [
    {
      type: 'http',
      names: ['csvToJson', 'csv2json', 'parseCsv', 'csvApi', 'tableApi'],
      params: { separator: ',|;', limit: '100..1000*100' },
      tweaks: ['limit'],
      stages: 2,
      popularity: 1.2,
      code: `
       |import { parse } from "npm:csv-parse@5/sync";
       |
       |%onHttp%
       |  const { searchParams } = new URL(%req%.url);
       |  const source = searchParams.get("url");
     1+|  if (!source) return new Response("Which file? Say ?url=", { status: 400 });
       |  const text = await (await fetch(source ?? "")).text();
  !bug |  const rows = parse(text, { columns: true, delimiter: "%separator%" });
   bug |  const rows = parse(text, { columns: true, delimiter: "%separator%" }).data.rows;
       |  console.log(~#{rows.length} rows~);
     <2|  return Response.json(rows);
     2+|  return Response.json(rows.slice(0, %limit%), { headers: { "access-control-allow-origin": "*" } });
       |%end%
      `,
      readme: `
      |# %self%
      |
      |Any CSV on the web as JSON: ~?url=https://example.com/data.csv~
     2+|
     2+|At most %limit% rows. Works from browsers, too.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'rows')" },
      errors: ['Invalid Record Length: columns length is 7, got 8 on line 212', "TypeError: Invalid URL: ''"],
      runs: [
        {
          params: { n: '12..900' },
          ms: '120..900',
          args: [{ method: 'GET', url: '/?url=https://example.com/data.csv' }],
          logs: ['%n% rows'],
        },
        { when: '1+', ms: '1..4', args: [{ method: 'GET', url: '/' }], returns: 'Which file? Say ?url=' },
      ],
      praise: ['Feeds three of my charts.', 'Just what I needed at the hackathon.'],
      wishes: [{ stage: 2, wish: 'CORS?', reply: 'Of course. Version %version%.' }],
    },
    {
      type: 'script',
      names: ['%Element%Stats', 'quickStats', 'median', 'describe', 'summaryStats'],
      params: { element: '@element', digits: '1..3' },
      tweaks: ['digits'],
      stages: 2,
      code: `
  chatty|/** Smallest, largest, median, mean. */
       |export function %self%(numbers: number[]) {
     1+|  if (numbers.length === 0) throw new Error("no numbers, no statistics");
  !bug |  const sorted = numbers.toSorted((a, b) => a - b);
   bug |  const sorted = (numbers as any).order((a, b) => a - b);
       |  const middle = Math.floor(sorted.length / 2);
       |  const median = sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
     2+|  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
     <2|  return { min: sorted[0], max: sorted.at(-1), median };
     2+|  return { min: sorted[0], max: sorted.at(-1), median, mean: Number(mean.toFixed(%digits%)) };
       |}
      `,
      readme: `
      |~~~ts
      |%self%([3, 1, 4, 1, 5])
      |~~~
      `,
      bug: { error: 'TypeError: numbers.order is not a function' },
      errors: ['no numbers, no statistics'],
      runs: [
        { when: '<2', ms: '1..3', args: [[3, 1, 4, 1, 5]], returns: { min: 1, max: 5, median: 3 } },
        { when: '2+', ms: '1..3', args: [[3, 1, 4, 1, 5]], returns: { min: 1, max: 5, median: 3, mean: 2.8 } },
        { when: '2+', ms: '1..3', args: [[12, 7, 9, 30]], returns: { min: 7, max: 30, median: 10.5, mean: 14.5 } },
      ],
      praise: ['My students use it without knowing.'],
      wishes: [
        { stage: 1, wish: 'For an empty list it says `undefined`.', reply: 'It throws, from version %version% on.' },
      ],
    },
    {
      type: 'http',
      names: ['formToTable', 'survey', 'poll', 'vote', '%Question%Poll'],
      needs: ['sqlite'],
      uses: ['page'],
      params: {
        question: 'tabs or spaces|tea or coffee|cats or dogs|bike or train|spring or autumn',
        a: 'first|left|A|one',
        b: 'second|right|B|two',
      },
      tweaks: ['a', 'b'],
      stages: 2,
      popularity: 1.2,
      code: `
       |import { %sqlite% } from "%sqlite.url%";
  page 1+|import { %page% } from "%page.url%";
       |
     2+|const CHOICES = ["%a%", "%b%"];
     2+|
       |%onHttp%
       |  const choice = new URL(%req%.url).searchParams.get("choice");
     2+|  if (choice && !CHOICES.includes(choice)) return new Response("That is not on the list", { status: 400 });
       |  if (choice) await %sqlite%.execute({ sql: "insert into votes (choice) values (?)", args: [choice] });
  !bug |  const { rows } = await %sqlite%.execute("select choice, count(*) from votes group by choice");
   bug |  const { rows } = await %sqlite%.execute("select choice, sum(votes) from votes group by choice");
       |  const result = rows.map(([name, count]) => ~<li>#{name}: #{count}</li>~).join("");
       |  const body = ~<h1>%question%?</h1><ul>#{result}</ul>~;
  page 1+|  return %page%("%question%", body);
 !page 1+|  return new Response(body, { headers: { "content-type": "text/html; charset=utf-8" } });
     <1|  return new Response(body, { headers: { "content-type": "text/html" } });
       |%end%
      `,
      readme: `
      |# %question%?
      |
      |[%a%](https://%user%-%self-%.web.val.run/?choice=%a%) or [%b%](https://%user%-%self-%.web.val.run/?choice=%b%)
      `,
      bug: { error: 'SQLITE_ERROR: no such column: votes' },
      errors: ['SQLITE_BUSY: database is locked'],
      runs: [
        { ms: '60..240', args: [{ method: 'GET', url: '/' }] },
        { ms: '80..320', args: [{ method: 'GET', url: '/?choice=%a%' }] },
        { ms: '80..320', args: [{ method: 'GET', url: '/?choice=%b%' }] },
      ],
      praise: ['%a%, obviously.', 'How can anybody choose %b%?'],
      wishes: [
        { stage: 2, wish: 'Somebody voted for "banana". 412 times.', reply: 'No bananas from version %version% on.' },
      ],
    },
    {
      type: 'interval',
      names: ['backup', 'nightlyBackup', 'exportTables', 'dumpDb', 'saveEverything'],
      needs: ['sqlite', 'blob'],
      uses: ['csv'],
      params: { table: 'notes|checks|votes|weather|guests|scores', keep: '3..14' },
      tweaks: ['keep', 'table'],
      stages: 2,
      every: ['1d', '1d', '7d'],
      code: `
       |import { %sqlite% } from "%sqlite.url%";
       |import { %blob% } from "%blob.url%";
  csv 1+|import { %csv% } from "%csv.url%";
       |
       |%onInterval%
       |  const { columns, rows } = await %sqlite%.execute("select * from %table%");
  !bug |  const records = rows.map((row) => Object.fromEntries(row.map((value, i) => [columns[i], value])));
   bug |  const records = rows.map((row) => Object.fromEntries(row.entries.map((value, i) => [columns[i], value])));
     1+|  const day = new Date().toISOString().slice(0, 10);
  csv 1+|  await %blob%.set(~backup/#{day}.csv~, %csv%(records));
 !csv 1+|  await %blob%.set(~backup/#{day}.json~, JSON.stringify(records));
     <1|  await %blob%.setJSON("backup", records);
     2+|  for (const { key } of (await %blob%.list("backup/")).slice(0, -%keep%)) await %blob%.delete(key);
       |  console.log(~#{records.length} rows saved~);
       |%end%
      `,
      readme: `
      |Backs up ~%table%~ into blobs.
     2+|The last %keep% are kept.
      |
      |Have I ever restored one? No.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'map')" },
      errors: ['Evaluation timed out after 60 s'],
      runs: [{ params: { n: '^4180..5260' }, ms: '2400..24000', logs: ['%n% rows saved'] }],
      praise: ['I have. It works. :)'],
      wishes: [{ stage: 2, wish: 'Does it keep them for ever?', reply: 'The last %keep%, since version %version%.' }],
    },
  ],
};
