import type { Template } from './template.js';

/** Importable helpers that read a weather forecast. */
export const forecasts: readonly Template[] = [
  {
    type: 'script',
    provides: 'weather',
    names: ['weather', 'getWeather', 'currentWeather', 'weatherNow', 'forecast'],
    uses: ['fetchJson'],
    params: { units: 'celsius|celsius|fahrenheit' },
    stages: 2,
    popularity: 2,
    upstream: 'api.open-meteo.com',
    code: `
  fetchJson|import { %fetchJson% } from "%fetchJson.url%";
  fetchJson|
       |export interface Weather {
       |  degrees: number;
       |  rain: number;
     1+|  wind: number;
       |}
       |
     2+|/** Weather at a place, from Open-Meteo. No key needed. */
       |export async function %self%(latitude: number, longitude: number): Promise<Weather> {
       |  const url = new URL("https://api.open-meteo.com/v1/forecast");
       |  url.searchParams.set("latitude", String(latitude));
       |  url.searchParams.set("longitude", String(longitude));
     <1|  url.searchParams.set("current", "temperature_2m,rain");
     1+|  url.searchParams.set("current", "temperature_2m,rain,wind_speed_10m");
       |  url.searchParams.set("temperature_unit", "%units%");
  fetchJson|  const data = await %fetchJson%(url);
 !fetchJson|  const data = await fetch(url).then((response) => response.json());
  !bug |  const { current } = data;
   bug |  const current = data.hourly.current;
       |  return {
       |    degrees: current.temperature_2m,
       |    rain: current.rain,
     1+|    wind: current.wind_speed_10m,
       |  };
       |}
      `,
    readme: `
      |# %self%
      |
      |Current weather from [Open-Meteo](https://open-meteo.com), without a key.
      |
      |~~~ts
      |const { degrees, rain } = await %self%(52.52, 13.41);
      |~~~
      |
      |Degrees are %units%.
     1+|Wind is in km/h.
      `,
    bug: { error: "TypeError: Cannot read properties of undefined (reading 'current')" },
    runs: [
      {
        when: '<1',
        params: { p: '@place', d: '~2.0..24.0', r: '0.0|0|0|0.2|0.7' },
        ms: '90..420',
        args: ['%p.lat%', '%p.lon%'],
        returns: { degrees: '%d%', rain: '%r%' },
      },
      {
        when: '1+',
        params: { p: '@place', d: '~2.0..24.0', r: '0|0|0|0.2|0.7', w: '2..38' },
        ms: '90..420',
        args: ['%p.lat%', '%p.lon%'],
        returns: { degrees: '%d%', rain: '%r%', wind: '%w%' },
      },
    ],
    praise: ['Open-Meteo is a treasure, and this makes it a one-liner.', 'In my morning mail since Monday.'],
    wishes: [
      {
        stage: 1,
        wish: 'Could it return the wind, too? Asking for my kite.',
        reply: 'There is `wind` in version %version%. Have fun!',
      },
    ],
  },
  {
    type: 'rpc',
    names: ['dewPoint', 'dewPointOf', 'condensesAt', 'fogAt'],
    params: { a: '17.27|17.62', b: '237.7|243.12' },
    tweaks: ['a'],
    stages: 1,
    popularity: 0.6,
    code: `
       |const A = %a%;
       |const B = %b%;
       |
  chatty|// Magnus formula: %a% and %b% are the constants over water.
       |export const %self% = (celsius: number, humidity: number): number => {
     1+|  if (humidity <= 0 || humidity > 100) throw new RangeError("humidity is a percentage");
  !bug |  const x = (A * celsius) / (B + celsius) + Math.log(humidity / 100);
   bug |  const x = (A * celsius) / (B + celsius) + (Math as any).ln(humidity / 100);
       |  return Math.round(((B * x) / (A - x)) * 10) / 10;
       |};
      `,
    bug: { error: 'TypeError: Math.ln is not a function' },
    errors: ['RangeError: humidity is a percentage'],
    runs: [
      { ms: '1..2', args: [21, 60], returns: 12.9 },
      { ms: '1..2', args: [11.4, 71], returns: 6.3 },
      { ms: '1..2', args: [28, 82], returns: 24.7 },
    ],
    praise: ['Agrees with the thermometer in my cellar.'],
  },
];
