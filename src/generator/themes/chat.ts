import type { Template } from './template.js';

/** Interchangeable helpers that post to a chat. */
export const chat: readonly Template[] = [
  {
    type: 'script',
    provides: 'chat',
    names: ['discord', 'postToDiscord', 'notifyDiscord', 'discordWebhook', 'toDiscord'],
    params: { env: 'DISCORD_WEBHOOK|DISCORD_URL', sender: 'vals|robot|%user% (val)|notifications' },
    tweaks: ['sender'],
    uses: ['retry'],
    stages: 2,
    popularity: 3,
    upstream: 'discord.com',
    code: `
  retry 2+|import { %retry% } from "%retry.url%";
  retry 2+|
  chatty|/** Posts a line to the channel of the webhook in ~%env%~. */
       |export async function %self%(content: string): Promise<void> {
  !bug |  const url = Deno.env.get("%env%");
   bug |  const url = Deno.env.get("%env%_ID");
       |  if (!url) throw new Error("%env% is not set");
       |  const send = () =>
       |    fetch(url, {
       |      method: "POST",
       |      headers: { "content-type": "application/json" },
     <1|      body: JSON.stringify({ content, username: "%sender%" }),
     1+|      body: JSON.stringify({ content: content.slice(0, 2000), username: "%sender%" }),
       |    });
  retry 2+|  const response = await %retry%(send);
 !retry 2+|  const response = await send();
     <2|  const response = await send();
       |  if (!response.ok) throw new Error(~Discord answered #{response.status}~);
       |}
    `,
    readme: `
      |# %self%
      |
      |1. In Discord: channel settings, *Integrations*, *Webhooks*, copy the URL.
      |2. Put it into the environment variable ~%env%~.
      |3. Call ~await %self%("Deployed!")~.
    `,
    bug: { error: '%env% is not set' },
    errors: ['Discord answered 429'],
    runs: [
      {
        params: { text: 'Deployed!|build green|hello?|Somebody signed up|%n% new', n: '2..9' },
        ms: '180..620',
        args: ['%text%'],
      },
    ],
    praise: [
      'Took me two minutes, including finding the webhook settings.',
      'Half of our team channel is this val talking.',
    ],
    wishes: [
      {
        stage: 1,
        wish: 'Long messages come back as 400.',
        reply: 'Discord stops at 2000 characters. Version %version% cuts there.',
      },
    ],
  },
  {
    type: 'script',
    provides: 'chat',
    names: ['slack', 'sendToSlack', 'slackMessage', 'postSlack', 'tellSlack'],
    params: { env: 'SLACK_WEBHOOK|SLACK_URL|SLACK_WEBHOOK_URL', emoji: ':robot_face:|:wave:|:bell:|:crystal_ball:' },
    tweaks: ['emoji'],
    stages: 1,
    popularity: 2,
    upstream: 'hooks.slack.com',
    code: `
       |/** Says something in the Slack channel of the incoming webhook in ~%env%~. */
       |export async function %self%(text: string): Promise<void> {
  !bug |  const url = Deno.env.get("%env%") ?? "";
   bug |  const url = new URL("%env%").href;
       |  const response = await fetch(url, {
       |    method: "POST",
     <1|    body: JSON.stringify({ text }),
     1+|    body: JSON.stringify({ text, icon_emoji: "%emoji%" }),
       |  });
       |  if (!response.ok) throw new Error(~Slack: #{response.status} #{await response.text()}~);
       |}
    `,
    readme: `
      |Posts to Slack. You need an [incoming webhook](https://api.slack.com/messaging/webhooks) in ~%env%~.
    `,
    bug: { error: "TypeError: Invalid URL: '%env%'" },
    errors: ['Slack: 404 channel_is_archived'],
    runs: [
      { params: { text: 'Good morning|Lunch?|deploy done|test|The build is red' }, ms: '140..480', args: ['%text%'] },
    ],
    praise: ['Simple, and it throws when it should.'],
  },
  {
    type: 'script',
    provides: 'chat',
    names: ['telegram', 'tellMe', 'sendTelegram', 'ping', 'telegramMe'],
    params: { env: 'TELEGRAM_TOKEN|TG_TOKEN|BOT_TOKEN' },
    stages: 1,
    popularity: 1.6,
    upstream: 'api.telegram.org',
    code: `
       |const token = Deno.env.get("%env%");
       |const chat = Deno.env.get("TELEGRAM_CHAT");
       |
       |export async function %self%(text: string): Promise<void> {
       |  const response = await fetch(~https://api.telegram.org/bot#{token}/sendMessage~, {
       |    method: "POST",
       |    headers: { "content-type": "application/json" },
  !bug <1|    body: JSON.stringify({ chat_id: chat, text }),
  !bug 1+|    body: JSON.stringify({ chat_id: chat, text, disable_web_page_preview: true }),
   bug |    body: JSON.stringify({ chat, text }),
       |  });
       |  const answer = await response.json();
       |  if (!answer.ok) throw new Error(~Telegram: #{answer.description}~);
       |}
    `,
    readme: `
      |# %self%
      |
      |Ask [@BotFather](https://t.me/botfather) for a token, write to your bot once, then:
      |
      |~~~ts
      |await %self%("The washing machine is done");
      |~~~
    `,
    bug: { error: 'Telegram: Bad Request: chat_id is empty' },
    errors: ['Telegram: Too Many Requests: retry after 12'],
    runs: [
      {
        params: { text: 'The washing machine is done|test|Somebody is at the door|Backup finished' },
        ms: '120..420',
        args: ['%text%'],
      },
    ],
    praise: ['My washing machine now talks to me. What a time.'],
    wishes: [{ stage: 1, wish: 'The link previews are huge. Can they go?', reply: 'Gone in version %version%.' }],
  },
];
