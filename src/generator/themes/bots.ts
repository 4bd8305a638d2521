import type { Theme } from './template.js';

export const bots: Theme = {
  name: 'bots',
  bios: [
    'I make bots that say good morning.',
    'Chat bots at %company%, mostly harmless.',
    'Running a Discord for people who like %keyword%.',
    'Beep.',
  ],
  templates: [
    {
      type: 'http',
      names: ['telegramBot', '%Word%Bot', 'tgBot', 'botWebhook', 'hello%Word%'],
      params: {
        word: 'coffee|weather|lunch|train|plant|dice|rain',
        command: 'start|help|now|today',
        answer: 'Hello!|On my way.|Ask again later.|Beep.',
      },
      tweaks: ['answer'],
      stages: 3,
      upstream: 'api.telegram.org',
      code: `
       |const API = ~https://api.telegram.org/bot#{Deno.env.get("TELEGRAM_TOKEN")}~;
       |
       |async function send(chat_id: number, text: string) {
     <1|  await fetch(~#{API}/sendMessage?chat_id=#{chat_id}&text=#{text}~);
     1+|  const response = await fetch(~#{API}/sendMessage~, {
     1+|    method: "POST",
     1+|    headers: { "content-type": "application/json" },
     1+|    body: JSON.stringify({ chat_id, text }),
     1+|  });
     1+|  if (!response.ok) throw new Error(~Telegram answered #{response.status}~);
       |}
       |
       |%onHttp%
     2+|  if (%req%.headers.get("x-telegram-bot-api-secret-token") !== Deno.env.get("TELEGRAM_SECRET")) {
     2+|    return new Response("Who is asking?", { status: 401 });
     2+|  }
       |  const { message } = await %req%.json();
  !bug |  const text: string = message?.text ?? "";
   bug |  const text: string = message.text.toLowerCase();
       |  if (text.startsWith("/%command%")) await send(message.chat.id, "%answer%");
     3+|  else if (text !== "") await send(message.chat.id, ~"#{text}"? Try /%command%.~);
       |  return new Response("ok");
       |%end%
      `,
      readme: `
      |# %self%
      |
      |A Telegram bot. It knows one command: ~/%command%~.
      |
      |Point the webhook here:
      |
      |~~~sh
      |curl "https://api.telegram.org/bot$TOKEN/setWebhook?url=https://%user%-%self-%.web.val.run"
      |~~~
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'toLowerCase')" },
      errors: ['Telegram answered 403'],
      runs: [
        {
          params: { n: '100..9000' },
          ms: '120..480',
          args: [{ method: 'POST', body: { update_id: '%n%', message: { text: '/%command%' } } }],
          returns: 'ok',
        },
        {
          params: { n: '100..9000' },
          ms: '10..480',
          args: [{ method: 'POST', body: { update_id: '%n%', message: { text: 'hello?' } } }],
          returns: 'ok',
        },
      ],
      praise: ['My first bot, forked from yours.', 'It answered "%answer%". We are friends now.'],
      wishes: [
        { stage: 2, wish: 'The token check from the docs is missing, I think?', reply: 'Added in version %version%.' },
      ],
    },
    {
      type: 'http',
      names: ['slashCommand', 'slack%Word%', 'slackBot', 'lunchCommand'],
      uses: ['shuffle'],
      params: {
        word: 'lunch|standup|dice|coffee|praise',
        a: 'the noodle place|sushi|the canteen|falafel',
        b: 'pizza|the food truck|salad, really|curry',
        c: 'the park|leftovers|dumplings|the new one',
      },
      tweaks: ['a', 'b', 'c'],
      stages: 2,
      code: `
  shuffle|import { %shuffle% } from "%shuffle.url%";
  shuffle|
       |const PLACES = ["%a%", "%b%", "%c%"];
       |
       |%onHttp%
       |  const form = await %req%.formData();
     1+|  if (form.get("token") !== Deno.env.get("SLACK_TOKEN")) return new Response("no", { status: 401 });
  shuffle !bug|  const [place] = %shuffle%(PLACES);
  !shuffle !bug|  const place = PLACES[Math.floor(Math.random() * PLACES.length)];
   bug |  const place = (PLACES as any).random();
       |  return Response.json({
     2+|    response_type: "in_channel",
       |    text: ~#{form.get("user_name")}, today it is *#{place}*~,
       |  });
       |%end%
      `,
      readme: `
      |Type ~/%word%~ in Slack and stop discussing.
      `,
      bug: { error: 'TypeError: PLACES.random is not a function' },
      errors: ['TypeError: Missing content type'],
      runs: [
        {
          params: { who: '@person' },
          ms: '3..30',
          args: [{ method: 'POST', body: { user_name: '%who%' } }],
          returns: { text: '%who%, today it is *%a%*' },
        },
        {
          params: { who: '@person' },
          ms: '3..30',
          args: [{ method: 'POST', body: { user_name: '%who%' } }],
          returns: { text: '%who%, today it is *%b%*' },
        },
        {
          params: { who: '@person' },
          ms: '3..30',
          args: [{ method: 'POST', body: { user_name: '%who%' } }],
          returns: { text: '%who%, today it is *%c%*' },
        },
      ],
      praise: ['We have not argued about lunch since.'],
      wishes: [
        {
          stage: 2,
          wish: 'Only I can see the answer, so nobody believes me.',
          reply: 'Everybody sees it now, version %version%.',
        },
      ],
    },
    {
      type: 'interval',
      names: ['standup', 'standupReminder', 'goodMorning', 'dailyQuestion', 'fridayDemo'],
      needs: ['chat'],
      uses: ['workday'],
      params: {
        text: 'What are you up to today?|Standup in ten minutes.|Good morning! Coffee?|Demo time.|Who needs a review?',
        first: '@person',
        second: '@person',
        third: '@person',
      },
      tweaks: ['text', 'third'],
      stages: 2,
      popularity: 1.1,
      every: ['1d'],
      code: `
       |import { %chat% } from "%chat.url%";
  workday 1+|import { %workday% } from "%workday.url%";
       |
     2+|const TEAM = ["%first%", "%second%", "%third%"];
     2+|
       |%onInterval%
  workday 1+|  if (!%workday%()) return;
 !workday 1+|  if ([0, 6].includes(new Date().getDay())) return;
     2+|  const day = Math.floor(Date.now() / 86_400_000);
  !bug 2+|  const who = TEAM[day % TEAM.length];
   bug 2+|  const who = TEAM[day].trim();
     <2|  await %chat%("%text%");
     2+|  await %chat%(~%text% #{who} begins.~);
       |%end%
      `,
      readme: `
      |> %text%
      |
      |Every morning, not on weekends.
      `,
      bug: { from: 2, error: "TypeError: Cannot read properties of undefined (reading 'trim')" },
      runs: [{ ms: '180..620' }],
      praise: ['I hate it. It works.', 'Our standup starts on time, which is new.'],
      wishes: [
        { stage: 1, wish: 'It woke me on Saturday.', reply: 'Sorry! Weekdays only, since version %version%.' },
        { stage: 2, wish: 'Nobody ever wants to begin.', reply: 'Version %version% picks somebody.' },
      ],
    },
    {
      type: 'script',
      provides: 'dice',
      names: ['dice', 'roll', 'rollDice', 'd20', 'throwDice'],
      params: { limit: '20..100*20' },
      tweaks: ['limit'],
      stages: 2,
      popularity: 1.2,
      code: `
  chatty|/** Rolls "2d6+1". */
       |export function %self%(notation = "d20") {
  !bug |  const [, count, sides, plus] = /^(\\d*)d(\\d+)([+-]\\d+)?$/.exec(notation) ?? [];
   bug |  const [, count, sides, plus] = /^(\\d+)d(\\d+)([+-]\\d+)$/.exec(notation);
     1+|  if (!sides) throw new Error(~I can't roll "#{notation}"~);
     2+|  if (Number(count) > %limit%) throw new Error("that many dice do not fit on my table");
       |  const rolls = Array.from({ length: Number(count || 1) }, () => 1 + Math.floor(Math.random() * Number(sides)));
       |  const total = rolls.reduce((sum, roll) => sum + roll, Number(plus ?? 0));
       |  return { notation, rolls, total };
       |}
      `,
      readme: `
      |# %self%
      |
      |~~~ts
      |%self%("2d6+1") // { rolls: [4, 2], total: 7 }
      |~~~
      `,
      bug: { error: 'TypeError: object null is not iterable (cannot read property Symbol(Symbol.iterator))' },
      errors: ['I can\'t roll "banana"', 'I can\'t roll "d"'],
      runs: [
        {
          params: { r: '1..20' },
          ms: '1..3',
          args: ['d20'],
          returns: { notation: 'd20', rolls: ['%r%'], total: '%r%' },
        },
        { params: { r: '1..6' }, ms: '1..3', args: ['d6'], returns: { notation: 'd6', rolls: ['%r%'], total: '%r%' } },
      ],
      praise: ['We roll with this every Thursday.', 'Rolled a natural 20 on the first try.'],
      wishes: [
        {
          stage: 2,
          wish: 'What does `9999999d6` do?',
          reply: 'Nothing any more, thank you very much. Version %version%.',
        },
      ],
    },
  ],
};
