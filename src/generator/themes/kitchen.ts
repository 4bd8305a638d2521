import type { Theme } from './template.js';

export const kitchen: Theme = {
  name: 'kitchen',
  bios: [
    'Sourdough and TypeScript, both need resting.',
    'I cook for six and plan with SQLite.',
    'Home cook in %place%. Ask me about %dish%.',
    'Garden, kitchen, terminal.',
  ],
  templates: [
    {
      type: 'script',
      names: ['bakersPercent', 'dough', 'breadCalculator', 'flourFor', 'hydration'],
      params: { hydration: '62..82*2', salt: '1.8..2.4', loaf: '700..1000*50' },
      tweaks: ['hydration', 'loaf'],
      stages: 2,
      popularity: 1.2,
      code: `
  chatty|// Everything relates to the flour, which is 100.
       |const RECIPE = { water: %hydration%, starter: 20, salt: %salt% };
       |
       |export function %self%(loaves: number, grams = %loaf%) {
     1+|  if (!(loaves > 0)) throw new RangeError("at least one loaf");
  !bug |  const total = 100 + Object.values(RECIPE).reduce((sum, part) => sum + part, 0);
   bug |  const total = 100 + (RECIPE as any).reduce((sum, part) => sum + part, 0);
       |  const flour = (loaves * grams * 100) / total;
       |  const of = (percent: number) => Math.round((flour * percent) / 100);
       |  return { flour: Math.round(flour), water: of(RECIPE.water), starter: of(RECIPE.starter), salt: of(RECIPE.salt) };
       |}
     2+|
     2+|console.log(%self%(2));
      `,
      readme: `
      |# %self%
      |
      |Dough for any number of loaves, at %hydration% % hydration.
      |
      |1. ~%self%(2)~
      |2. Mix
      |3. Wait until tomorrow
      `,
      bug: { error: 'TypeError: RECIPE.reduce is not a function' },
      errors: ['RangeError: at least one loaf'],
      runs: [
        { ms: '1..2', args: [2], returns: { flour: 958, water: 671, starter: 192, salt: 19 } },
        { ms: '1..2', args: [12, 750], returns: { flour: 4737, water: 3221, starter: 947, salt: 95 } },
      ],
      praise: ['Made two loaves with it. They are gone.', '%hydration% % is brave. I like it.'],
      wishes: [
        {
          stage: 1,
          wish: 'I asked for 0 loaves and got `NaN` grams of salt.',
          reply: 'That is a lot of salt. Version %version% refuses.',
        },
      ],
    },
    {
      type: 'interval',
      names: ['mealPlan', 'dinnerPlan', 'whatToCook', 'weeklyMenu', 'sundayPlan'],
      needs: ['email'],
      uses: ['shuffle'],
      params: { a: '@dish', b: '@dish', c: '@dish', d: 'leftovers|pizza|soup|something with eggs', e: '@dish' },
      tweaks: ['a', 'b', 'e'],
      stages: 2,
      every: ['7d', '7d', '1d'],
      code: `
       |import { %email% } from "%email.url%";
  shuffle 1+|import { %shuffle% } from "%shuffle.url%";
       |
       |const DISHES = ["%a%", "%b%", "%c%", "%d%", "%e%"];
       |const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"];
       |
       |%onInterval%
  shuffle 1+|  const dishes = %shuffle%(DISHES);
 !shuffle 1+|  const dishes = [...DISHES].sort();
     <1|  const dishes = DISHES;
  !bug |  const plan = DAYS.map((day, index) => ~#{day}: #{dishes[index]}~);
   bug |  const plan = DAYS.map((day, index) => ~#{day}: #{dishes[index + 1].toLowerCase()}~);
     2+|  console.log(plan.join("\\n"));
       |  await %email%({ subject: "Dinner this week", text: plan.join("\\n") });
       |%end%
      `,
      readme: `
      |Plans dinner, so that nobody has to ask. Friday is negotiable.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'toLowerCase')" },
      runs: [
        {
          when: '2+',
          ms: '200..700',
          logs: ['Monday: %b%\nTuesday: %e%\nWednesday: %a%'],
          emails: [{ subject: 'Dinner this week' }],
        },
        { when: '<2', ms: '200..700', emails: [{ subject: 'Dinner this week' }] },
      ],
      praise: ['We had %a% on Tuesday because a val said so.'],
      wishes: [{ stage: 1, wish: 'Always %a% on Monday?', reply: 'Shuffled since version %version%.' }],
    },
    {
      type: 'http',
      names: ['recipes', 'cookbook', '%Dish%', 'recipeOf%Dish%', 'scaleRecipe'],
      uses: ['page'],
      params: {
        dish: '@dish',
        people: '2..6',
        a: 'garlic|onions|ginger|leeks',
        b: 'chickpeas|noodles|rice|potatoes|mushrooms',
        c: 'coriander|lemon|butter|miso|chili flakes',
      },
      tweaks: ['people', 'c'],
      stages: 2,
      code: `
  page 1+|import { %page% } from "%page.url%";
  page 1+|
       |// For %people% people.
       |const INGREDIENTS = { "%a%": 2, "%b%": 400, "%c%": 1 };
       |
       |%onHttp%
  !bug |  const people = Number(new URL(%req%.url).searchParams.get("people") ?? %people%);
   bug |  const people = Number(new URL(%req%.url).query.get("people") ?? %people%);
       |  const items = Object.entries(INGREDIENTS).map(
     <2|    ([name, amount]) => ~<li>#{(amount * people) / %people%} #{name}</li>~,
     2+|    ([name, amount]) => ~<li>#{Math.ceil((amount * people) / %people%)} #{name}</li>~,
       |  );
       |  const body = ~<h1>%dish%</h1><p>for #{people}</p><ul>#{items.join("")}</ul>~;
  page 1+|  return %page%("%dish%", body);
 !page 1+|  return new Response(body, { headers: { "content-type": "text/html; charset=utf-8" } });
     <1|  return new Response(body, { headers: { "content-type": "text/html" } });
       |%end%
      `,
      readme: `
      |# %dish%
      |
      |My grandmother's, roughly. ~?people=8~ for a party.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'get')" },
      runs: [
        { ms: '2..20', args: [{ method: 'GET', url: '/' }] },
        { params: { n: '1..12' }, ms: '2..20', args: [{ method: 'GET', url: '/?people=%n%' }] },
      ],
      praise: ['Cooked it yesterday. More %c%!', 'The whole family approved.'],
      wishes: [
        { stage: 2, wish: '0.6666666666666666 %a%?', reply: 'Rounded up in version %version%. More is better.' },
      ],
    },
    {
      type: 'interval',
      names: ['waterThe%Plant%', 'wateringPlan', '%Plant%Care', 'isDry', 'gardenReminder'],
      needs: ['chat'],
      uses: ['weather'],
      params: { plant: '@plant', place: '@place', days: '2..7', litres: '1..8' },
      tweaks: ['days', 'litres'],
      stages: 2,
      every: ['1d', '1d', '6h'],
      code: `
       |import { %chat% } from "%chat.url%";
  weather 1+|import { %weather% } from "%weather.url%";
       |
       |const EVERY_DAYS = %days%;
       |
       |%onInterval%
       |  const day = Math.floor(Date.now() / 86_400_000);
       |  if (day % EVERY_DAYS !== 0) return "not today";
  weather 1+|  const { rain } = await %weather%(%place.lat%, %place.lon%);
  weather 1+|  if (rain > 0.5) return "rain did it";
   bug |  if ((globalThis as any).garden.closed) return "closed";
       |  await %chat%("Water the %plant%: %litres% l");
     2+|  return "watered, hopefully";
       |%end%
      `,
      readme: `
      |The %plant% in %place% want %litres% litres every %days% days. I want to remember that.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'closed')" },
      runs: [
        { ms: '20..120', returns: 'not today' },
        { ms: '20..120', returns: 'not today' },
        { when: '1+', ms: '120..500', returns: 'rain did it' },
        { when: '<2', ms: '300..800' },
        { when: '2+', ms: '300..800', returns: 'watered, hopefully' },
      ],
      praise: ['My %plant% survived the holidays.'],
      wishes: [
        {
          stage: 1,
          wish: 'Mine was told to water in a thunderstorm.',
          reply: 'It looks at the rain first, since version %version%.',
        },
      ],
    },
  ],
};
