import type { Theme } from './template.js';

export const sport: Theme = {
  name: 'sport',
  bios: [
    '%Sport%, then coffee, then code.',
    'Slow runner, fast queries.',
    'Counting things that I do outdoors.',
    'Birds, bikes, bytes in %place%.',
  ],
  templates: [
    {
      type: 'email',
      names: ['%Sport%Log', 'logWorkout', 'training', 'trainingByMail', '%Sport%Diary'],
      needs: ['sqlite'],
      uses: ['chat'],
      params: { sport: '@sport', unit: 'km|minutes', goal: '20..200*10' },
      tweaks: ['goal'],
      stages: 2,
      code: `
       |import { %sqlite% } from "%sqlite.url%";
  chat 2+|import { %chat% } from "%chat.url%";
       |
     1+|const GOAL = %goal%; // %unit% a month
       |
       |%onEmail%
       |  const amount = Number.parseFloat(%mail%.subject ?? "");
  !bug |  if (Number.isNaN(amount)) throw new Error(~"#{%mail%.subject}" has no %unit%~);
   bug |  if (Number.isNaN(amount.value.raw)) throw new Error(~"#{%mail%.subject}" has no %unit%~);
       |  await %sqlite%.execute({ sql: "insert into %sport-% (amount) values (?)", args: [amount] });
     1+|  const { rows } = await %sqlite%.execute("select sum(amount) from %sport-%");
  chat 2+|  await %chat%(~%sport%: #{rows[0][0]} of #{GOAL} %unit%~);
     1+|  return ~#{rows[0][0]} of #{GOAL}~;
       |%end%
      `,
      readme: `
      |# %Sport%
      |
      |I mail it the number of %unit%, still sweating.
     1+|The goal is %goal% a month.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'raw')" },
      errors: ['"Re: Thursday" has no %unit%'],
      runs: [
        {
          when: '1+',
          params: { n: '3..24', sum: '^24..160' },
          ms: '60..280',
          args: [{ from: '%user%@example.com', subject: '%n% %unit%' }],
          returns: '%sum% of %goal%',
        },
        {
          when: '<1',
          params: { n: '3..24' },
          ms: '60..280',
          args: [{ from: '%user%@example.com', subject: '%n% %unit%' }],
        },
      ],
      praise: ['%goal% %unit% is a lot!', 'I forked this for my piano practice.'],
    },
    {
      type: 'http',
      names: ['streak', 'habit', '%Sport%Streak', 'habits', 'dontBreakTheChain'],
      needs: ['blob'],
      uses: ['page', 'chunk'],
      params: { sport: '@sport', colour: '@colour', days: '14..35*7' },
      tweaks: ['colour', 'days'],
      stages: 2,
      popularity: 1.2,
      code: `
       |import { %blob% } from "%blob.url%";
  page 2+|import { %page% } from "%page.url%";
  chunk 2+|import { %chunk% } from "%chunk.url%";
       |
       |const today = () => new Date().toISOString().slice(0, 10);
       |
       |%onHttp%
  !bug |  const days: string[] = (await %blob%.getJSON("%sport-%")) ?? [];
   bug |  const days: string[] = (await %blob%.getJSON("%sport-%")).days.all;
       |  if (%req%.method === "POST" && !days.includes(today())) {
       |    days.push(today());
       |    await %blob%.setJSON("%sport-%", days);
       |  }
     1+|  const square = '<span style="color: %colour%">■</span>';
  chunk 2+|  const weeks = %chunk%(days.slice(-%days%), 7);
  chunk 2+|  const squares = weeks.map((week) => square.repeat(week.length)).join("<br>");
 !chunk 2+|  const squares = square.repeat(Math.min(days.length, %days%));
     1+ <2|  const squares = square.repeat(days.length);
     1+|  const body = ~<h1>%sport%</h1><p>#{squares}</p><p>#{days.length} days</p>~;
     <1|  return new Response(~#{days.length} days~);
  page 2+|  return %page%("%sport%", body);
 !page 2+|  return new Response(body, { headers: { "content-type": "text/html; charset=utf-8" } });
     1+ <2|  return new Response(body, { headers: { "content-type": "text/html" } });
       |%end%
      `,
      readme: `
      |# %self%
      |
      |One square per day of %sport%. ~POST~ to it when you have done it (mine is a button on the phone).
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'all')" },
      runs: [
        { ms: '50..200', args: [{ method: 'GET', url: '/' }] },
        { params: { n: '^3..63' }, ms: '90..300', args: [{ method: 'POST', url: '/' }], returns: '%n% days' },
      ],
      praise: ['Did not want to break the chain today. Thank you, I guess.', 'The squares are strangely motivating.'],
      wishes: [
        { stage: 1, wish: 'A picture of it would be nicer than a number.', reply: 'Squares! Version %version%.' },
      ],
    },
    {
      type: 'script',
      names: ['lifeList', 'birdsSeen', '%Bird%', 'birdLog', 'sightings'],
      needs: ['sqlite'],
      uses: ['formatDate'],
      params: { bird: '@bird', other: '@bird', spot: '@street' },
      tweaks: ['spot'],
      stages: 2,
      popularity: 0.9,
      code: `
       |import { %sqlite% } from "%sqlite.url%";
  formatDate 2+|import { %formatDate% } from "%formatDate.url%";
       |
     1+|await %sqlite%.execute("create table if not exists birds (name text, place text, time text)");
       |
       |export async function %self%(name = "%bird%", place = "%spot%") {
       |  await %sqlite%.execute({
  !bug |    sql: "insert into birds values (?, ?, current_timestamp)",
   bug |    sql: "insert into birds values (?, ?)",
       |    args: [name, place],
       |  });
       |  const { rows } = await %sqlite%.execute("select distinct name from birds");
  formatDate 2+|  console.log(~#{%formatDate%(new Date())}: #{rows.length} species~);
 !formatDate 2+|  console.log(~#{rows.length} species~);
       |  return rows.length;
       |}
      `,
      readme: `
      |My life list. The best so far: %other%, near %spot%.
      `,
      bug: { error: 'SQLITE_ERROR: table birds has 3 columns but 2 values were supplied' },
      runs: [
        { params: { n: '^171..212', b: '@bird' }, ms: '60..220', args: ['%b%'], logs: ['%n% species'], returns: '%n%' },
      ],
      praise: ['A %other%! Jealous.'],
    },
  ],
};
