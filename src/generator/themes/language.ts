import type { Theme } from './template.js';

export const language: Theme = {
  name: 'language',
  bios: [
    'Prompting since before it was cool. It still is not.',
    'Teaching language models to be brief.',
    'Haiku, cron, coffee.',
    'Building little assistants at %company%.',
  ],
  templates: [
    {
      type: 'interval',
      names: ['dailyHaiku', 'haikuFor%Person%', 'morningPoem', 'poemOfTheDay', '%Topic%Haiku'],
      needs: ['openai', 'email'],
      params: {
        topic: 'the sea|%place%|compilers|garlic|late trains|the moon|Mondays',
        place: '@place',
        person: '@person',
      },
      tweaks: ['topic'],
      stages: 2,
      popularity: 1.2,
      upstream: 'api.openai.com',
      every: ['1d', '1d', '1d', '7d'],
      code: `
       |import { %openai% } from "%openai.url%";
       |import { %email% } from "%email.url%";
       |
       |%onInterval%
       |  const openai = new %openai%();
       |  const completion = await openai.chat.completions.create({
     <1|    messages: [{ role: "user", content: "Write a haiku about %topic%." }],
     1+|    messages: [
     1+|      { role: "system", content: "You write haiku. Answer with three lines and nothing else." },
     1+|      { role: "user", content: "Today it is about %topic%." },
     1+|    ],
       |    model: "gpt-4o-mini",
     2+|    max_tokens: 60,
       |  });
  !bug |  const haiku = completion.choices[0].message.content;
   bug |  const haiku = completion.choices[0].text.trim();
       |  await %email%({ subject: "A haiku about %topic%", text: haiku });
       |  return haiku;
       |%end%
      `,
      readme: `
      |# %self%
      |
      |Seventeen syllables about %topic%, every morning.
      |
      |> the cron job wakes up
      |> somewhere a server answers
      |> two hundred, okay
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'trim')" },
      errors: ['429 Rate limit reached for gpt-4o-mini'],
      runs: [
        {
          ms: '1100..3800',
          returns: 'night bus, empty seats\na single glove waits for you\nat the last stop, rain',
          emails: [{ subject: 'A haiku about %topic%' }],
        },
        {
          ms: '1100..3800',
          returns: 'the first of the plums\nfalls into the open boat\nnobody rows home',
          emails: [{ subject: 'A haiku about %topic%' }],
        },
        {
          ms: '1100..3800',
          returns: 'steam on the window\nI draw a small sun in it\nit begins to drip',
          emails: [{ subject: 'A haiku about %topic%' }],
        },
      ],
      praise: ["Today's one was *good*.", 'My mother gets these now. She thinks that I write them.'],
      wishes: [
        {
          stage: 1,
          wish: 'Mine starts with "Sure! Here is a haiku".',
          reply: 'Not any more, see the system prompt in version %version%.',
        },
      ],
    },
    {
      type: 'http',
      names: ['chat', 'askMe', 'gptProxy', 'tinyChat', '%Topic%Bot'],
      needs: ['openai'],
      uses: ['rateLimit'],
      params: {
        topic: 'cooking|sailing|SQL|grammar|gardening|chess|CSS|wine',
        tone: 'Be brief.|Answer in one sentence.|Be kind.|Answer like a pirate.',
      },
      tweaks: ['tone', 'topic'],
      stages: 2,
      popularity: 2,
      upstream: 'api.openai.com',
      code: `
       |import { %openai% } from "%openai.url%";
  rateLimit 1+|import { %rateLimit% } from "%rateLimit.url%";
       |
       |const openai = new %openai%();
       |
       |%onHttp%
  !bug |  const question = new URL(%req%.url).searchParams.get("q");
   bug |  const { question } = await %req%.json();
       |  if (!question) return new Response("Ask something with ?q=", { status: 400 });
  rateLimit 1+|  if (!(await %rateLimit%(%req%.headers.get("x-forwarded-for") ?? "anybody"))) {
  rateLimit 1+|    return new Response("Slow down", { status: 429 });
  rateLimit 1+|  }
       |  const completion = await openai.chat.completions.create({
       |    model: "gpt-4o-mini",
       |    messages: [
       |      { role: "system", content: "You know everything about %topic%. %tone%" },
     <2|      { role: "user", content: question },
     2+|      { role: "user", content: question.slice(0, 500) },
       |    ],
       |  });
       |  return Response.json({ question, answer: completion.choices[0].message.content });
       |%end%
      `,
      readme: `
      |# %self%
      |
      |Ask it about %topic%: ~?q=why+though~
  rateLimit 1+|
  rateLimit 1+|Be gentle, there is a limit per minute.
      `,
      bug: { error: 'SyntaxError: Unexpected end of JSON input' },
      errors: ['429 Rate limit reached for gpt-4o-mini', '400 The response was filtered'],
      runs: [
        { params: { q: '@query' }, ms: '700..4200', args: [{ method: 'GET', url: '/?q=%q-%' }] },
        { ms: '1..4', args: [{ method: 'GET', url: '/' }], returns: 'Ask something with ?q=' },
      ],
      praise: ['Knows more about %topic% than my brother-in-law.', 'Surprisingly patient.'],
      wishes: [
        { stage: 2, wish: 'I pasted a novel and it cost you money, sorry.', reply: '500 characters from now on. 🙂' },
      ],
    },
    {
      type: 'email',
      names: ['replyBot', 'answerMail', 'askByMail', 'emailAssistant', 'mailTo%Person%'],
      needs: ['openai', 'email'],
      params: { signature: 'Your robot|%person% (not a person)|Sent from a val|— the val', person: '@person' },
      tweaks: ['signature'],
      stages: 1,
      upstream: 'api.openai.com',
      code: `
       |import { %email% } from "%email.url%";
       |import { %openai% } from "%openai.url%";
       |
       |%onEmail%
     1+|  if (/^(re|fwd):/i.test(%mail%.subject ?? "")) return;
       |  const openai = new %openai%();
       |  const completion = await openai.chat.completions.create({
       |    model: "gpt-4o-mini",
  !bug |    messages: [{ role: "user", content: %mail%.text ?? %mail%.subject ?? "" }],
   bug |    messages: [{ role: "user", content: %mail%.parts[0].text }],
       |  });
       |  const answer = completion.choices[0].message.content ?? "I have no idea.";
       |  await %email%({ to: %mail%.from, subject: ~Re: #{%mail%.subject}~, text: ~#{answer}\\n\\n%signature%~ });
       |%end%
      `,
      readme: `
      |Write to it, it writes back.
     1+|It does not answer answers: two of these once talked all night.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading '0')" },
      errors: ['Email recipients must be yourself on the free plan'],
      runs: [
        {
          params: { s: '@subject' },
          ms: '1400..5200',
          args: [{ from: 'someone@example.com', subject: '%s%' }],
          emails: [{ to: 'someone@example.com', subject: 'Re: %s%' }],
        },
      ],
      praise: ['My uncle is convinced that I hired an assistant.'],
      wishes: [
        {
          stage: 1,
          wish: 'Mine is talking to my out-of-office reply.',
          reply: 'Version %version% leaves replies alone.',
        },
      ],
    },
    {
      type: 'rpc',
      names: ['classify', 'sentiment', 'moodOf', 'isSpam', 'labelText'],
      needs: ['openai'],
      params: { labels: 'good, bad, neutral|bug, question, praise|urgent, later, never|spam, mail' },
      tweaks: ['labels'],
      stages: 1,
      upstream: 'api.openai.com',
      popularity: 0.8,
      code: `
       |import { %openai% } from "%openai.url%";
       |
       |const LABELS = "%labels%".split(", ");
       |
       |export const %self% = async (text: string): Promise<string> => {
       |  const completion = await new %openai%().chat.completions.create({
       |    model: "gpt-4o-mini",
       |    messages: [{ role: "user", content: ~Which of #{LABELS.join(", ")} is this? One word.\\n\\n#{text}~ }],
       |  });
  !bug |  const label = completion.choices[0].message.content?.toLowerCase().trim() ?? "";
   bug |  const label = completion.choice[0].message.content.toLowerCase();
     1+|  if (!LABELS.includes(label)) throw new Error(~unexpected label "#{label}"~);
       |  return label;
       |};
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading '0')" },
      errors: ['unexpected label "it depends"'],
      runs: [
        { ms: '500..1600', args: ['I have been waiting for two weeks now'], returns: 'bad' },
        { ms: '500..1600', args: ['Thanks, works!'], returns: 'good' },
      ],
      praise: ['Sorts our support mail, nobody noticed the difference.'],
    },
  ],
};
