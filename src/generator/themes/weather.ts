import { forecasts } from './forecasts.js';
import type { Theme } from './template.js';

export const weather: Theme = {
  name: 'weather',
  bios: [
    'Looks at the sky in %place%, then checks the API anyway.',
    'Balcony weather station, far too many cron jobs.',
    'Cyclist in %place%. I automate not getting wet.',
    'Meteorology dropout. Vals about rain.',
  ],
  templates: [
    ...forecasts,
    {
      type: 'interval',
      names: ['frostAlert', '%Plant%Inside', 'tooColdFor%Plant%', 'coldNights', 'bringIn%Plant%'],
      uses: ['weather', 'email'],
      needs: ['email'],
      params: { plant: '@plant', place: '@place', limit: '-1..5' },
      tweaks: ['limit'],
      stages: 2,
      upstream: 'api.open-meteo.com',
      every: ['1h', '3h', '6h', '1d'],
      code: `
       |import { %email% } from "%email.url%";
  weather|import { %weather% } from "%weather.url%";
       |
       |const LIMIT = %limit%;
       |
  chatty|// %place%. The %plant% cannot stand less than %limit% degrees.
       |%onInterval%
  weather|  const { degrees } = await %weather%(%place.lat%, %place.lon%);
 !weather|  const response = await fetch(
 !weather|    "https://api.open-meteo.com/v1/forecast?latitude=%place.lat%&longitude=%place.lon%&current=temperature_2m",
 !weather|  );
 !weather|  const degrees = (await response.json()).current.temperature_2m;
     1+|  console.log(~#{degrees} degrees in %place%~);
  !bug |  if (degrees >= LIMIT) return;
   bug |  if (degrees.value.max >= LIMIT) return;
     <2|  await %email%({ subject: "Frost!", text: ~#{degrees} degrees~ });
     2+|  await %email%({
     2+|    subject: ~#{degrees}°: bring the %plant% inside~,
     2+|    text: ~It is #{degrees} degrees in %place%. The limit is #{LIMIT}.~,
     2+|  });
       |%end%
      `,
      readme: `
      |Mails me before the %plant% freezes. The balcony is in %place%; the limit is %limit% degrees.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'max')" },
      runs: [
        {
          when: '<1',
          params: { d: '~-3.0..13.0' },
          ms: '160..900',
          emails: [{ subject: 'Frost!', text: '%d% degrees' }],
          emailsIfBelow: ['d', 'limit'],
        },
        {
          when: '1+ <2',
          params: { d: '~-3.0..13.0' },
          ms: '160..900',
          logs: ['%d% degrees in %place%'],
          emails: [{ subject: 'Frost!', text: '%d% degrees' }],
          emailsIfBelow: ['d', 'limit'],
        },
        {
          when: '2+',
          params: { d: '~-3.0..13.0' },
          ms: '160..900',
          logs: ['%d% degrees in %place%'],
          emails: [{ subject: '%d%°: bring the %plant% inside' }],
          emailsIfBelow: ['d', 'limit'],
        },
      ],
      praise: ['Saved my %plant% last week.', 'I changed %place% to my own town and it just works.'],
      wishes: [
        {
          stage: 1,
          wish: 'How do I know that it is still running when nothing freezes?',
          reply: 'It logs the temperature as of version %version%.',
        },
      ],
    },
    {
      type: 'http',
      names: ['weatherPage', '%Place%Weather', 'isItRaining', 'umbrella%Place%', 'rainIn%Place%'],
      uses: ['weather', 'page', 'cached'],
      needs: ['weather'],
      params: { place: '@place', dry: 'No.|Not yet|Dry!|Nope', wet: 'Yes.|Take the bus|It pours|Yep' },
      tweaks: ['dry', 'wet'],
      stages: 2,
      popularity: 1.6,
      upstream: 'api.open-meteo.com',
      code: `
       |import { %weather% } from "%weather.url%";
  page |import { %page% } from "%page.url%";
  cached 2+|import { %cached% } from "%cached.url%";
       |
       |%onHttp%
  cached 2+|  const now = await %cached%("%place-%", 10, () => %weather%(%place.lat%, %place.lon%));
 !cached 2+|  const now = await %weather%(%place.lat%, %place.lon%);
     <2|  const now = await %weather%(%place.lat%, %place.lon%);
     1+|  if (new URL(%req%.url).searchParams.has("json")) return Response.json(now);
  !bug |  const answer = now.rain > 0 ? "%wet%" : "%dry%";
   bug |  const answer = now.current.rain > 0 ? "%wet%" : "%dry%";
  page |  return %page%("%place%", ~<h1>#{answer}</h1><p>#{now.degrees}° in %place%</p>~);
 !page |  return new Response(~<h1>#{answer}</h1><p>#{now.degrees}° in %place%</p>~, {
 !page |    headers: { "content-type": "text/html; charset=utf-8" },
 !page |  });
       |%end%
      `,
      readme: `
      |# Is it raining in %place%?
      |
      |One word, and the temperature below it.
     1+|
     1+|- ~?json~ for machines
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'rain')" },
      runs: [
        { params: { p: '@path' }, ms: '60..480', args: [{ method: 'GET', url: '%p%' }] },
        {
          when: '1+',
          params: { d: '~3.0..21.0' },
          ms: '60..480',
          args: [{ method: 'GET', url: '/?json' }],
          returns: { degrees: '%d%', rain: 0 },
        },
      ],
      praise: ['Bookmarked on my phone, next to the door.', 'The shortest forecast on the web.'],
      wishes: [
        {
          stage: 1,
          wish: 'Could I get this as JSON for my e-ink display?',
          reply: 'Add `?json`, version %version%. Send a photo!',
        },
      ],
    },
    {
      type: 'interval',
      names: ['logTemperature', '%Place%Log', 'weatherHistory', 'recordWeather', 'temperatureDiary'],
      needs: ['sqlite', 'weather'],
      params: { place: '@place', table: 'weather|readings|temperature|measurements' },
      stages: 1,
      upstream: 'api.open-meteo.com',
      every: ['15m', '1h', '1h', '3h'],
      code: `
       |import { %sqlite% } from "%sqlite.url%";
       |import { %weather% } from "%weather.url%";
       |
     1+|await %sqlite%.execute("create table if not exists %table% (time text, degrees real, rain real)");
     1+|
       |%onInterval%
       |  const { degrees, rain } = await %weather%(%place.lat%, %place.lon%);
       |  await %sqlite%.execute({
  !bug |    sql: "insert into %table% values (?, ?, ?)",
   bug |    sql: "insert into %table% values (?, ?)",
       |    args: [new Date().toISOString(), degrees, rain],
       |  });
       |  console.log(degrees, rain);
       |%end%
      `,
      readme: `
      |Writes down the weather in %place%. One row per run, table ~%table%~.
      |
      |~~~sql
      |select max(degrees) from %table%
      |~~~
      `,
      bug: { error: 'SQLITE_ERROR: table %table% has 3 columns but 2 values were supplied' },
      runs: [{ params: { d: '~1.0..22.0', r: '0|0|0|0|0.3' }, ms: '150..520', logs: [['%d%', '%r%']] }],
      praise: ['I have eight months of %place% now, thanks to you.'],
    },
  ],
};
