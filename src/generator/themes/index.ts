import { bots } from './bots.js';
import { chat } from './chat.js';
import { code } from './code.js';
import { data } from './data.js';
import { feeds } from './feeds.js';
import { games } from './games.js';
import { kitchen } from './kitchen.js';
import { language } from './language.js';
import { money } from './money.js';
import { notes } from './notes.js';
import { pictures } from './pictures.js';
import { plumbing } from './plumbing.js';
import { scratch } from './scratch.js';
import { shelf } from './shelf.js';
import { site } from './site.js';
import { sport } from './sport.js';
import { standard } from './standard.js';
import type { Template, Theme } from './template.js';
import { texts } from './texts.js';
import { uptime } from './uptime.js';
import { values } from './values.js';
import { ways } from './ways.js';
import { weather } from './weather.js';
import { webHelpers } from './webhelpers.js';

export const THEMES: readonly Theme[] = [
  weather,
  feeds,
  code,
  language,
  site,
  pictures,
  uptime,
  money,
  kitchen,
  notes,
  bots,
  games,
  shelf,
  ways,
  data,
  sport,
];

/** Templates that authors of all themes use. */
export const COMMON: readonly Template[] = [...plumbing, ...webHelpers, ...values, ...chat, ...texts];

/** Experiments of all authors. */
export const SCRATCH: readonly Template[] = scratch;

/** The standard library. */
export const STANDARD: readonly Template[] = standard;

export const TEMPLATES: readonly Template[] = [
  ...THEMES.flatMap(({ templates }) => templates),
  ...COMMON,
  ...SCRATCH,
  ...STANDARD,
];
