import type { Template } from './template.js';

/** Vals that watch a GitHub repository. */
export const github: readonly Template[] = [
  {
    type: 'http',
    names: ['githubWebhook', 'onPush', 'deployHook', '%Repo.short%Events', 'prNotifier'],
    needs: ['chat'],
    params: { repo: '@repo', event: 'pull_request|issues|push|release', verb: 'touched|updated|changed' },
    tweaks: ['verb'],
    stages: 3,
    popularity: 1.3,
    code: `
       |import { %chat% } from "%chat.url%";
     2+|import { verify } from "npm:@octokit/webhooks-methods@4";
       |
       |%onHttp%
     <2|  const event = await %req%.json();
     2+|  const body = await %req%.text();
     2+|  const signature = %req%.headers.get("x-hub-signature-256") ?? "";
     2+|  if (!(await verify(Deno.env.get("GITHUB_SECRET") ?? "", body, signature))) {
     2+|    return new Response("bad signature", { status: 401 });
     2+|  }
     2+|  const event = JSON.parse(body);
     1+|  if (%req%.headers.get("x-github-event") !== "%event%") return new Response("ignored");
     3+|  if (event.sender.type === "Bot") return new Response("a bot, ignored");
  !bug |  await %chat%(~#{event.sender.login} %verb% #{event.repository.full_name}~);
   bug |  await %chat%(~#{event.actor.login} %verb% #{event.repository.full_name}~);
       |  return new Response("ok");
       |%end%
      `,
    readme: `
      |# %self%
      |
      |Posts to chat when something happens in a repository.
      |
      |1. Repository settings → Webhooks → *Add webhook*
      |2. Paste the URL of this val, content type ~application/json~
     2+|3. Put the secret into ~GITHUB_SECRET~
     1+|
     1+|Listens to ~%event%~ only.
      `,
    bug: { error: "TypeError: Cannot read properties of undefined (reading 'login')" },
    errors: ['SyntaxError: Unexpected end of JSON input'],
    runs: [
      {
        ms: '180..700',
        params: { n: '10..990' },
        args: [{ method: 'POST', body: { action: 'opened', number: '%n%' } }],
        returns: 'ok',
      },
      {
        when: '1+',
        ms: '2..9',
        args: [{ method: 'POST', body: { zen: 'Keep it logically awesome.' } }],
        returns: 'ignored',
      },
    ],
    praise: ['Set it up for our monorepo in five minutes.'],
    wishes: [
      {
        stage: 2,
        wish: 'Anybody who knows the URL can post here, no?',
        reply: 'It checks the signature as of version %version%.',
      },
      { stage: 3, wish: 'Dependabot is *very* chatty.', reply: 'Bots are ignored from version %version% on.' },
    ],
  },
  {
    type: 'interval',
    names: ['%Repo.short%Releases', 'releaseWatch', 'newReleases', 'updatesOf%Repo.short%'],
    needs: ['blob', 'email'],
    uses: ['fetchJson'],
    params: { repo: '@repo' },
    stages: 2,
    upstream: 'api.github.com',
    every: ['3h', '6h', '1d'],
    code: `
       |import { %blob% } from "%blob.url%";
       |import { %email% } from "%email.url%";
  fetchJson|import { %fetchJson% } from "%fetchJson.url%";
       |
       |const REPO = "%repo%";
       |
       |%onInterval%
       |  const url = ~https://api.github.com/repos/#{REPO}/releases/latest~;
  fetchJson|  const release = await %fetchJson%(url);
 !fetchJson|  const release = await fetch(url).then((response) => response.json());
     1+|  if (release.prerelease) return;
       |  if (release.tag_name === (await %blob%.getJSON("%self%"))) return;
       |  await %email%({
  !bug |    subject: ~#{REPO} #{release.tag_name}~,
   bug |    subject: ~#{REPO} #{release.name.replace("v", "").split(" ")[1].trim()}~,
     <2|    text: release.html_url,
     2+|    text: ~#{release.html_url}\\n\\n#{release.body}~,
       |  });
       |  await %blob%.setJSON("%self%", release.tag_name);
       |%end%
      `,
    readme: `
      |Mail me when [%repo%](https://github.com/%repo%) has a new release.
     2+|With the release notes.
      `,
    bug: { error: "TypeError: Cannot read properties of undefined (reading 'trim')" },
    errors: ['403 rate limit exceeded from api.github.com'],
    runs: [
      { ms: '180..620' },
      { ms: '180..620' },
      { params: { a: '1..4', b: '0..14' }, ms: '500..1300', emails: [{ subject: '%repo% v%a%.%b%.0' }] },
    ],
    praise: ['Better than watching the repository.'],
    wishes: [
      {
        stage: 2,
        wish: 'The release notes in the mail would be great.',
        reply: 'They are, since version %version%.',
      },
    ],
  },
  {
    type: 'script',
    names: ['starCount', 'githubStars', 'starsOf', 'repoStats', '%Repo.short%Stars'],
    uses: ['fetchJson'],
    params: { repo: '@repo' },
    stages: 1,
    upstream: 'api.github.com',
    code: `
  fetchJson|import { %fetchJson% } from "%fetchJson.url%";
  fetchJson|
       |export async function %self%(repo = "%repo%") {
  fetchJson|  const data = await %fetchJson%(~https://api.github.com/repos/#{repo}~);
 !fetchJson|  const data = await (await fetch(~https://api.github.com/repos/#{repo}~)).json();
  !bug <1|  return data.stargazers_count;
  !bug 1+|  return { stars: data.stargazers_count, forks: data.forks_count, issues: data.open_issues_count };
   bug |  return data.items[0].stargazers_count;
       |}
       |
       |console.log(await %self%());
      `,
    bug: { error: "TypeError: Cannot read properties of undefined (reading '0')" },
    errors: ['403 rate limit exceeded from api.github.com'],
    runs: [
      {
        when: '1+',
        params: { s: '41200..41900', f: '5200..5230', i: '120..190' },
        ms: '140..420',
        logs: [{ stars: '%s%', forks: '%f%', issues: '%i%' }],
        returns: { stars: '%s%', forks: '%f%', issues: '%i%' },
      },
      { when: '<1', params: { s: '41200..41900' }, ms: '140..420', logs: ['%s%'], returns: '%s%' },
    ],
  },
];
