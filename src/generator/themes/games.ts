import type { Theme } from './template.js';

export const games: Theme = {
  name: 'games',
  bios: [
    'Board games, text adventures, high scores.',
    'Making tiny games that nobody wins.',
    'Puzzles before breakfast.',
    'Dungeon master, frontend developer.',
  ],
  templates: [
    {
      type: 'http',
      names: ['wordOfTheDay', 'guessTheWord', 'dailyWord', 'wordle', 'fiveLetters'],
      uses: ['page'],
      params: {
        a: 'crane|slate|adieu|tears|raise',
        b: 'bread|cloud|house|river|stone',
        c: 'lemon|mango|grape|peach|olive',
        d: 'tiger|otter|raven|gecko|moose',
        tries: '5..7',
      },
      tweaks: ['tries', 'b', 'd'],
      stages: 3,
      popularity: 2,
      code: `
  page 2+|import { %page% } from "%page.url%";
  page 2+|
       |const WORDS = ["%a%", "%b%", "%c%", "%d%"];
     1+|const TRIES = %tries%;
       |
     1+|function compare(guess: string, word: string): string {
     1+|  return [...guess].map((letter, i) => (letter === word[i] ? "🟩" : word.includes(letter) ? "🟨" : "⬜")).join("");
     1+|}
     1+|
       |%onHttp%
       |  const day = Math.floor(Date.now() / 86_400_000);
  !bug |  const word = WORDS[day % WORDS.length];
   bug |  const word = WORDS[day].toLowerCase();
       |  const guesses = new URL(%req%.url).searchParams.getAll("guess");
     1+|  if (guesses.length > TRIES) return new Response(~It was "#{word}".~);
     <1|  return new Response(guesses.includes(word) ? "Yes!" : "No.");
     1+|  const rows = guesses.map((guess) => ~#{compare(guess.toLowerCase(), word)} #{guess}~);
     3+|  if (guesses.includes(word)) rows.push(~Solved in #{guesses.length} of #{TRIES}!~);
  page 2+|  return %page%("Guess", ~<pre>#{rows.join("\\n")}</pre><form><input name="guess" maxlength="5"></form>~);
 !page 2+|  return new Response(rows.join("\\n"));
     1+ <2|  return new Response(rows.join("\\n"));
       |%end%
      `,
      readme: `
      |# %self%
      |
      |Five letters. A new word every day (there are four of them, pull requests welcome).
      |
      |~?guess=crane~
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'toLowerCase')" },
      runs: [
        { ms: '2..18', args: [{ method: 'GET', url: '/?guess=%a%' }] },
        { ms: '2..18', args: [{ method: 'GET', url: '/?guess=%a%&guess=%b%' }] },
        { ms: '2..18', args: [{ method: 'GET', url: '/' }] },
      ],
      praise: ['Three tries today.', 'My streak is over because of you.', 'I have played all four words. More!'],
      wishes: [
        { stage: 1, wish: 'It only says "No." A hint, maybe?', reply: 'Coloured squares in version %version%.' },
        { stage: 3, wish: 'It never tells me that I won.', reply: 'It does now. Congratulations, belatedly.' },
      ],
    },
    {
      type: 'http',
      names: ['leaderboard', 'highScores', 'scores', 'hallOfFame', 'topTen'],
      needs: ['sqlite'],
      uses: ['rateLimit'],
      params: {
        game: 'snake|pinball|minesweeper|solitaire|tetris clone|typing test',
        table: 'scores|results|points',
        top: '5..20*5',
        best: '3900..4800',
        champion: '@person',
      },
      tweaks: ['top'],
      stages: 2,
      popularity: 1.3,
      code: `
       |import { %sqlite% } from "%sqlite.url%";
  rateLimit 2+|import { %rateLimit% } from "%rateLimit.url%";
       |
       |await %sqlite%.execute("create table if not exists %table% (player text, score integer)");
       |
       |%onHttp%
       |  if (%req%.method === "POST") {
       |    const { player, score } = await %req%.json();
     1+|    if (!Number.isInteger(score) || score < 0) return new Response("Nice try", { status: 400 });
  rateLimit 2+|    if (!(await %rateLimit%(player, 5))) return new Response("Slow down", { status: 429 });
       |    await %sqlite%.execute({ sql: "insert into %table% values (?, ?)", args: [player, score] });
       |  }
       |  const { rows } = await %sqlite%.execute(
  !bug |    "select player, max(score) from %table% group by player order by 2 desc limit %top%",
   bug |    "select player, max(score) from %table% group by user order by 2 desc limit %top%",
       |  );
       |  return Response.json(rows.map(([player, score], index) => ({ rank: index + 1, player, score })));
       |%end%
      `,
      readme: `
      |# %self%
      |
      |High scores of my %game%. The best %top% stay.
     1+|
     1+|Negative scores are not accepted, you know who you are.
      `,
      bug: { error: 'SQLITE_ERROR: no such column: user' },
      errors: ['SyntaxError: Unexpected end of JSON input', 'SQLITE_BUSY: database is locked'],
      runs: [
        {
          ms: '50..190',
          args: [{ method: 'GET', url: '/' }],
          returns: [{ rank: 1, player: '%champion%', score: '%best%' }],
        },
        {
          params: { s: '10..3900', who: '@person' },
          ms: '90..320',
          args: [{ method: 'POST', body: { player: '%who%', score: '%s%' } }],
        },
      ],
      praise: ['I am number two. For now.', 'Second place, by eleven points.'],
      wishes: [
        {
          stage: 1,
          wish: 'Somebody has a score of 1e308.',
          reply: 'Had. Version %version% wants integers, and I wiped the table.',
        },
      ],
    },
    {
      type: 'http',
      names: ['tinyAdventure', 'dungeon', 'textAdventure', 'escapeThe%Room%', 'the%Room%'],
      uses: ['dice'],
      params: {
        room: 'cellar|lighthouse|library|greenhouse|submarine|attic|museum',
        thing: 'lamp|key|map|rope|cat|sandwich',
        exit: 'north|up|east|through the window',
      },
      tweaks: ['thing', 'exit'],
      stages: 2,
      popularity: 1.3,
      code: `
  dice 2+|import { %dice% } from "%dice.url%";
  dice 2+|
       |const ROOMS: Record<string, { text: string; exits: string[] }> = {
       |  hall: { text: "A hall. It smells of soup.", exits: ["%room%"] },
       |  %room%: { text: "The %room%. There is a %thing% on the floor.", exits: ["hall", "outside"] },
     1+|  outside: { text: "You left %exit%. You have won, probably.", exits: [] },
       |};
       |
       |%onHttp%
       |  const name = new URL(%req%.url).searchParams.get("room") ?? "hall";
  !bug |  const room = ROOMS[name] ?? ROOMS.hall;
   bug |  const room = ROOMS[name.toUpperCase()];
       |  const lines = [room.text, ...room.exits.map((exit) => ~→ ?room=#{exit}~)];
  dice 2+|  if (%dice%("d20").total === 1) lines.unshift("A bat flies past.");
       |  return new Response(lines.join("\\n"));
       |%end%
      `,
      readme: `
      |# The %room%
      |
      |An adventure in three rooms. Bring the %thing%.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'text')" },
      runs: [
        { ms: '1..12', args: [{ method: 'GET', url: '/' }] },
        { ms: '1..12', args: [{ method: 'GET', url: '/?room=%room%' }] },
        { ms: '1..12', args: [{ method: 'GET', url: '/?room=outside' }] },
      ],
      praise: ['Took the %thing%, went %exit%. 10/10.', 'Is there a way to keep the %thing%?'],
    },
    {
      type: 'express',
      names: ['coinFlip', 'flip', 'magic8', 'yesOrNo', 'decide'],
      params: { yes: 'heads|yes|do it|certainly', no: 'tails|no|better not|ask again' },
      tweaks: ['yes', 'no'],
      stages: 1,
      popularity: 0.6,
      code: `
       |export const %self% = (req: express.Request, res: express.Response) => {
  !bug |  const answer = Math.random() < 0.5 ? "%yes%" : "%no%";
   bug |  const answer = (Math as any).coin() ? "%yes%" : "%no%";
     1+|  if (req.query.format === "text") return res.send(answer);
       |  res.json({ answer });
       |};
      `,
      bug: { error: 'TypeError: Math.coin is not a function' },
      runs: [
        { ms: '1..4', args: [{ method: 'GET', url: '/' }], returns: { answer: '%yes%' } },
        { ms: '1..4', args: [{ method: 'GET', url: '/' }], returns: { answer: '%no%' } },
      ],
      praise: ['I quit my job because of this val.', 'It said "%no%". Fair.'],
    },
  ],
};
