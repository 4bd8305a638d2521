import type { Theme } from './template.js';

export const ways: Theme = {
  name: 'ways',
  bios: [
    'Trains, maps, time zones.',
    'Commuting between %place% and the kitchen.',
    'OpenStreetMap contributor. Benches, mostly.',
    'Flying from %airport.code% too often.',
  ],
  templates: [
    {
      type: 'http',
      names: ['departures', 'nextBus', 'trainsFrom%Place%', 'busStop', 'tramTimes'],
      needs: ['fetchJson'],
      uses: ['cached'],
      params: { place: '@place', street: '@street', line: '1..99', stop: '1000..9999' },
      tweaks: ['line'],
      stages: 2,
      popularity: 1.2,
      upstream: 'transit.example.org',
      code: `
       |import { %fetchJson% } from "%fetchJson.url%";
  cached 2+|import { %cached% } from "%cached.url%";
       |
       |const STOP = %stop%; // %street%
     1+|const LINE = "%line%";
       |
       |%onHttp%
       |  const load = () => %fetchJson%(~https://transit.example.org/stops/#{STOP}/departures~);
  cached 2+|  const { departures } = await %cached%("stop-%stop%", 1, load);
 !cached 2+|  const { departures } = await load();
     <2|  const { departures } = await load();
  !bug <1|  const lines = departures.map((each: any) => ~#{each.line} #{each.destination} #{each.minutes} min~);
  !bug 1+|  const mine = departures.filter((each: any) => each.line === LINE);
  !bug 1+|  const lines = mine.map((each: any) => ~#{each.destination} #{each.minutes} min~);
   bug |  const lines = departures.map((each: any) => ~#{each.route.line} #{each.minutes} min~);
       |  return new Response(lines.join("\\n") || "Walk.");
       |%end%
      `,
      readme: `
      |# %self%
      |
      |When to leave the house. Stop %stop% (%street%, %place%).
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'line')" },
      errors: ['504 Gateway Timeout from transit.example.org'],
      runs: [
        {
          when: '1+',
          params: { m: '1..14', n: '15..29' },
          ms: '80..640',
          args: [{ method: 'GET', url: '/' }],
          returns: 'Central Station %m% min\nCentral Station %n% min',
        },
        {
          when: '<1',
          params: { m: '1..14', n: '15..29' },
          ms: '80..640',
          args: [{ method: 'GET', url: '/' }],
          returns: '%line% Central Station %m% min\n4 Harbour %n% min',
        },
        { when: '1+', ms: '80..640', args: [{ method: 'GET', url: '/' }], returns: 'Walk.' },
      ],
      praise: ['On a tablet next to our door.', '"Walk." is my favourite answer.'],
      wishes: [
        {
          stage: 1,
          wish: 'Can it show one line only?',
          reply: 'The %line%, since version %version%. Change the constant for yours.',
        },
      ],
    },
    {
      type: 'http',
      names: ['timeIn%Place%', 'worldClock', 'whatTimeIsIt', 'timezones', 'teamClock'],
      params: { a: '@place', b: '@place', c: '@place', place: '@place' },
      tweaks: ['b', 'c'],
      stages: 2,
      code: `
       |const ZONES = [
       |  ["%a%", "%a.zone%"],
       |  ["%b%", "%b.zone%"],
     1+|  ["Home", "%c.zone%"],
       |];
       |
       |%onHttp%
       |  const times = ZONES.map(([name, timeZone]) => {
  !bug |    const time = new Date().toLocaleTimeString("en-GB", { timeZone, timeStyle: "short" });
   bug |    const time = new Date().toLocaleTimeString("en-GB", { timeZone: name, timeStyle: "short" });
       |    return [name, time];
       |  });
     2+|  if (%req%.headers.get("accept")?.includes("json")) return Response.json(Object.fromEntries(times));
       |  return new Response(times.map(([name, time]) => ~#{time} #{name}~).join("\\n"));
       |%end%
      `,
      readme: `
      |Before I call somebody at three in the morning again.
      |
      |- %a%
      |- %b%
     1+|- home
      `,
      bug: { error: 'RangeError: Invalid time zone specified: %a%' },
      runs: [
        {
          params: { h: '10..23', m: '10..59' },
          ms: '2..24',
          args: [{ method: 'GET', url: '/' }],
          returns: '%h%:%m% %a%',
        },
        { params: { p: '@path' }, ms: '2..24', args: [{ method: 'GET', url: '%p%' }] },
      ],
      praise: ['Our whole team is on this page.', '%a% and %b%, exactly the two that I need!'],
    },
    {
      type: 'interval',
      names: ['flightDeals', 'cheapFlights', '%Airport.code%Flights', 'weekendIn%Place%', 'flyTo%Place%'],
      needs: ['fetchJson', 'email'],
      params: { airport: '@airport', place: '@place', price: '40..300*10' },
      tweaks: ['price'],
      stages: 2,
      popularity: 0.9,
      upstream: 'fares.example.net',
      every: ['6h', '1d', '1d'],
      code: `
       |import { %fetchJson% } from "%fetchJson.url%";
       |import { %email% } from "%email.url%";
       |
       |const FROM = "%airport.code%"; // %airport%
       |const LIMIT = %price%;
       |
       |%onInterval%
       |  const { fares } = await %fetchJson%(~https://fares.example.net/v2/search?from=#{FROM}&to=%place-%~);
  !bug |  const [cheapest] = fares.sort((a: any, b: any) => a.price - b.price);
   bug |  const cheapest = fares.sort((a: any, b: any) => a.price - b.price).cheapest[0];
     1+|  if (!cheapest) return "no flights";
     2+|  console.log(cheapest.price, cheapest.carrier);
       |  if (cheapest.price < LIMIT) await %email%({ subject: ~%place% for #{cheapest.price}~ });
       |  return cheapest.price;
       |%end%
      `,
      readme: `
      |# %place%, one day
      |
      |From %airport% for less than %price%.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading '0')" },
      errors: ['429 Too Many Requests from fares.example.net'],
      runs: [
        {
          when: '<2',
          params: { p: '~90..320' },
          ms: '300..1900',
          returns: '%p%',
          emails: [{ subject: '%place% for %p%' }],
          emailsIfBelow: ['p', 'price'],
        },
        {
          when: '2+',
          params: { p: '~90..320', air: 'KL|LH|BA|AF|TP|SK' },
          ms: '300..1900',
          logs: [['%p%', '%air%']],
          returns: '%p%',
          emails: [{ subject: '%place% for %p%' }],
          emailsIfBelow: ['p', 'price'],
        },
        { when: '1+', ms: '300..1900', returns: 'no flights' },
      ],
      praise: ['Writing this from %place%. It works.', 'Take the train! (But nice code.)'],
    },
    {
      type: 'rpc',
      names: ['distance', 'haversine', 'howFar', 'kilometres', 'crowFlies'],
      params: { radius: '6371|6371.0088' },
      tweaks: ['radius'],
      stages: 1,
      popularity: 0.8,
      code: `
       |type Point = [latitude: number, longitude: number];
       |
       |const RADIUS = %radius%; // km
       |
       |export const %self% = (from: Point, to: Point): number => {
     1+|  if (from.length !== 2 || to.length !== 2) throw new Error("two points, please");
       |  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  !bug |  const [lat1, lon1, lat2, lon2] = [...from, ...to].map(radians);
   bug |  const [lat1, lon1, lat2, lon2] = [...from, ...(to as any).points].map(radians);
       |  const a = Math.sin((lat2 - lat1) / 2) ** 2 + Math.cos(lat1) * Math.cos(lat2) * Math.sin((lon2 - lon1) / 2) ** 2;
       |  return Math.round(2 * RADIUS * Math.asin(Math.sqrt(a)));
       |};
      `,
      bug: { error: 'TypeError: Spread syntax requires ...iterable[Symbol.iterator] to be a function' },
      errors: ['two points, please'],
      runs: [
        {
          ms: '1..2',
          args: [
            [52.52, 13.41],
            [38.72, -9.14],
          ],
          returns: 2313,
        },
        {
          ms: '1..2',
          args: [
            [59.91, 10.75],
            [55.68, 12.57],
          ],
          returns: 483,
        },
      ],
      praise: ['As the crow flies, and the crow is right.'],
    },
  ],
};
