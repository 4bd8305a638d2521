import type { Template } from './template.js';

/** Importable helpers that read texts. */
export const texts: readonly Template[] = [
  {
    type: 'script',
    provides: 'feed',
    names: ['parseFeed', 'rss', 'readFeed', 'feedItems', 'fetchRss'],
    params: { max: '10..50*10' },
    tweaks: ['max'],
    uses: ['retry'],
    stages: 2,
    popularity: 2.5,
    code: `
       |import Parser from "npm:rss-parser@3";
  retry 1+|import { %retry% } from "%retry.url%";
       |
       |export interface Item {
       |  title: string;
       |  link: string;
       |  date: string;
       |}
       |
       |/** The newest entries of an RSS or Atom feed. */
       |export async function %self%(url: string): Promise<Item[]> {
       |  const parser = new Parser();
  retry 1+|  const { items } = await %retry%(() => parser.parseURL(url));
 !retry 1+|  const { items } = await parser.parseURL(url);
     <1|  const { items } = await parser.parseURL(url);
       |  return items.slice(0, %max%).map((item: any) => ({
  !bug |    title: item.title ?? "untitled",
   bug |    title: item.title.trim(),
       |    link: item.link ?? url,
     <2|    date: item.isoDate ?? "",
     2+|    date: item.isoDate ?? item.pubDate ?? "",
       |  }));
       |}
    `,
    readme: `
      |# %self%
      |
      |~~~ts
      |for (const { title, link } of await %self%("https://hnrss.org/frontpage")) {
      |  console.log(title, link);
      |}
      |~~~
      |
      |At most %max% items, newest first if the feed says so.
    `,
    bug: { error: "TypeError: Cannot read properties of undefined (reading 'trim')" },
    errors: ['Feed not recognized as RSS 1 or 2.', 'Status code 403'],
    runs: [{ params: { f: '@feed' }, ms: '220..1400', args: ['%f.url%'] }],
    praise: ['RSS is not dead, it has just moved into vals.', 'Reads Atom as well, nice.'],
    wishes: [
      {
        stage: 1,
        wish: 'Some feeds need two attempts in the morning…',
        reply: 'I know those feeds. Version %version% is more patient.',
      },
    ],
  },
  {
    type: 'script',
    provides: 'summarize',
    names: ['summarize', 'tldr', 'shorten', 'summary', 'inShort'],
    needs: ['openai'],
    params: { words: '40..120*20', model: 'gpt-4o-mini|gpt-4o|gpt-3.5-turbo' },
    tweaks: ['words', 'model'],
    stages: 2,
    popularity: 2,
    upstream: 'api.openai.com',
    code: `
       |import { %openai% } from "%openai.url%";
       |
       |const openai = new %openai%();
       |
     1+|/** The gist of a text in at most ~words~ words. */
       |export async function %self%(text: string, words = %words%): Promise<string> {
     2+|  if (text.length < 400) return text;
       |  const completion = await openai.chat.completions.create({
       |    model: "%model%",
       |    messages: [
     1+|      { role: "system", content: "You are a careful editor. Add nothing." },
       |      { role: "user", content: ~Summarize in #{words} words:\\n\\n#{text}~ },
       |    ],
       |  });
       |  console.log(~#{completion.usage?.total_tokens} tokens~);
  !bug |  return completion.choices[0].message.content ?? "";
   bug |  return completion.data.choices[0].message.content ?? "";
       |}
    `,
    readme: `
      |# %self%
      |
      |Makes long texts short with ~%model%~.
      |
      |~~~ts
      |const gist = await %self%(article, %words%);
      |~~~
    `,
    bug: { error: "TypeError: Cannot read properties of undefined (reading 'choices')" },
    errors: ['429 Rate limit reached for %model%'],
    runs: [{ ms: '900..4200', params: { tokens: '180..900' }, logs: ['%tokens% tokens'] }],
    praise: ['Reads my newsletters so that I do not have to.', 'The system prompt makes all the difference.'],
    wishes: [
      {
        stage: 2,
        wish: 'It makes short texts *longer*.',
        reply: 'Ha, true. Below 400 characters it leaves them alone now.',
      },
    ],
  },
];
