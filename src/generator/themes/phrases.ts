import type { ValType } from '../../model/schema.js';

/** Bios that fit any theme. */
export const BIOS: readonly string[] = [
  'Learning in public.',
  'I like it when things are small.',
  'Mostly cron jobs.',
  'Full-stack at %company%. Opinions my own, code yours.',
  'Tinkering after the kids are asleep.',
  'Says hello from %place%.',
  'they/them · %place%',
  'Teacher, gardener, occasional programmer.',
  'Just looking around.',
  'If it has a webhook, I will connect it to another webhook.',
];

/** Comments on any val. `%self%` is its name, `%user%` its author. */
export const PRAISE: readonly string[] = [
  'This is great, thank you!',
  'Forked!',
  'So short. I expected ten times the code.',
  'I have been looking for exactly this.',
  'Stealing this for my own account, hope that is okay.',
  '`%self%` just became part of my morning.',
  'Nice one, %user%.',
  'Works on the first try. That never happens to me.',
  'The name alone deserves a like.',
  'Love it. 🙌',
  'Read the code, learned something. Thanks!',
  'This should be on the front page.',
  'I did not know that this was possible in %lines% lines.',
  'Clean!',
];

export const PRAISE_OF_TYPE: Readonly<Record<ValType, readonly string[]>> = {
  http: [
    'Opened the endpoint, smiled.',
    'Loads faster than my own site.',
    'Is there a limit on how often I may call it?',
  ],
  httpnext: ['Opened the endpoint, smiled.', 'Loads faster than my own site.', 'I put a link to it into our wiki.'],
  express: ['Express! A classic.', 'Still works, after all this time.'],
  interval: [
    'Running a fork of it since last week, no complaints.',
    'How often do you run it?',
    'The best kind of cron job: the boring kind.',
  ],
  email: ['I keep forgetting that vals have addresses. Good use of it.', 'Mailed it. It did the thing.'],
  script: ['Imported.', 'One file, no dependencies. As it should be.', 'Copied the idea, kept the comment.'],
  rpc: ['Called it from my page, works.', 'Simple and correct.'],
};

/** Questions with replies. */
export const QUESTIONS: ReadonlyMap<string, string> = new Map([
  ['May I use this at work?', 'Of course, no strings attached.'],
  ['What is the licence?', 'MIT, I should write that down somewhere.'],
  ['How did you come up with this?', 'Out of pure laziness.'],
  ['Did you write this by hand?', 'Most of it. The boring half I had written for me.'],
  ['Any reason not to use a library here?', 'No good one. I wanted to see how far I get without.'],
  ['Would you take a small fix for `%self%`?', 'Gladly! Just post a link to your fork.'],
  ['Is this still maintained?', 'It is, it just does not need much.'],
  ['Does it cost you anything to run?', 'So far not a cent.'],
  ['Can I call this from the browser?', 'You can, as long as you do not mind showing the code.'],
]);

/** Bug reports. */
export const REPORTS: readonly string[] = [
  'It fails for me since today: `%error%`',
  'Getting `%error%` — is it just me?',
  'Version %version% broke my fork: `%error%`',
  'Hm, `%error%`. It worked yesterday.',
  'Heads up: `%error%`',
  '`%error%` 😢',
];

/** Replies to bug reports. */
export const REPAIRS: readonly string[] = [
  'Fixed in version %fixed%, sorry!',
  'My fault, version %fixed% works again.',
  'Thanks for telling me. Try version %fixed%.',
  'Ouch. That was a late-night edit. Better in version %fixed%.',
  'Should be fine now (version %fixed%).',
];

/** Comments by an author who imports the val. `%link%` is their val. */
export const MENTIONS: readonly string[] = [
  'Using this in %link%. Thanks!',
  'Imported it into %link%, saved me an evening.',
  '%link% is built on this.',
  'Just swapped my own version for yours in %link%.',
  'If you ever wonder who calls this all day: %link%, sorry.',
  'Works like a charm in %link%.',
];

export const THANKS: readonly string[] = [
  'Thank you!',
  'Glad that it is useful!',
  'Cool, I like what you did with it.',
  ':)',
  'That made my day.',
];

/** Errors of runs during an outage of a service. */
export const OUTAGES: readonly string[] = [
  '503 Service Unavailable from %host%',
  'TypeError: error sending request for url (https://%host%/)',
  '%host% timed out',
];
