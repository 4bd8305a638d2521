import type { Theme } from './template.js';

export const pictures: Theme = {
  name: 'pictures',
  bios: ['SVG by hand.', 'Generative art in forty lines.', 'I draw with loops.', 'Plotter person. Ask me about pens.'],
  templates: [
    {
      type: 'script',
      provides: 'sparkline',
      names: ['sparkline', 'miniChart', 'svgLine', 'sparklines', 'tinyChart'],
      params: { colour: '@colour', width: '80..160*20', height: '16..32*4' },
      tweaks: ['colour', 'width'],
      stages: 2,
      popularity: 2,
      code: `
  chatty|/** Numbers as a small line, without a library. */
     <2|export function %self%(numbers: number[]): string {
     2+|export function %self%(numbers: number[], color = "%colour%"): string {
     1+|  if (numbers.length < 2) return "";
  !bug |  const max = Math.max(...numbers);
   bug |  const max = (numbers as any).max();
       |  const min = Math.min(...numbers);
       |  const points = numbers.map((number, index) => {
       |    const x = (index / (numbers.length - 1)) * %width%;
       |    const y = %height% - ((number - min) / (max - min || 1)) * %height%;
       |    return ~#{x.toFixed(1)},#{y.toFixed(1)}~;
       |  });
       |  return ~<svg width="%width%" height="%height%" viewBox="0 0 %width% %height%">
     <2|  <polyline points="#{points.join(" ")}" fill="none" stroke="%colour%" />
     2+|  <polyline points="#{points.join(" ")}" fill="none" stroke="#{color}" />
       |</svg>~;
       |}
      `,
      readme: `
      |# %self%
      |
      |~~~ts
      |%self%([3, 1, 4, 1, 5, 9]) // <svg …>
      |~~~
      |
      |%width% by %height% pixels, fits into a line of text.
      `,
      bug: { error: 'TypeError: numbers.max is not a function' },
      runs: [{ ms: '1..3', args: [[3, 1, 4, 1, 5, 9]] }],
      praise: ['Put it next to every number I have.', 'Edward would be proud.'],
      wishes: [
        {
          stage: 1,
          wish: 'With a single number it returns `NaN,NaN`.',
          reply: 'An empty string now, version %version%.',
        },
        { stage: 2, wish: 'My page is green. Could the line be, too?', reply: 'Second argument!' },
      ],
    },
    {
      type: 'http',
      names: ['ogImage', 'socialCard', 'previewImage', 'titleCard', 'openGraph'],
      uses: ['escapeHtml'],
      params: { background: '@colour', font: '@font', size: '48..80*8' },
      tweaks: ['background', 'size'],
      stages: 2,
      popularity: 1.4,
      code: `
  escapeHtml 1+|import { %escapeHtml% } from "%escapeHtml.url%";
  escapeHtml 1+|
       |const [WIDTH, HEIGHT] = [1200, 630];
       |
       |%onHttp%
  !bug |  const title = new URL(%req%.url).searchParams.get("title") ?? "%user%";
   bug |  const title = new URL(%req%.headers.get("referer")).searchParams.get("title") ?? "%user%";
  escapeHtml 1+|  const text = %escapeHtml%(title);
 !escapeHtml 1+|  const text = title.replace(/[<&]/g, "");
     <1|  const text = title;
       |  const svg = ~<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 #{WIDTH} #{HEIGHT}">
       |    <rect width="#{WIDTH}" height="#{HEIGHT}" fill="%background%" />
       |    <text x="60" y="340" font-family="%font%" font-size="%size%" fill="white">#{text}</text>
       |  </svg>~;
     <2|  return new Response(svg, { headers: { "content-type": "image/svg+xml" } });
     2+|  const headers = { "content-type": "image/svg+xml", "cache-control": "public, max-age=86400" };
     2+|  return new Response(svg, { headers });
       |%end%
      `,
      readme: `
      |# %self%
      |
      |Preview images for links: ~?title=Hello~
      |
      || | |
      ||-|-|
      || Size | 1200 × 630 |
      || Font | %font% |
      `,
      bug: { error: "TypeError: Invalid URL: 'null'" },
      runs: [{ params: { q: '@query' }, ms: '2..14', args: [{ method: 'GET', url: '/?title=%q-%' }] }],
      praise: ['Every link to my blog looks like it has a budget.'],
      wishes: [
        { stage: 1, wish: 'A title with `&` in it gives a broken image.', reply: 'Fixed in version %version%.' },
      ],
    },
    {
      type: 'http',
      names: ['%Shape%', 'random%Shape%', 'art', 'pattern', 'wallpaper'],
      params: {
        shape: 'circles|triangles|stripes|hexagons|stars|waves|tiles',
        count: '40..400*20',
        first: '@colour',
        second: '@colour',
      },
      tweaks: ['count', 'first', 'second'],
      stages: 2,
      popularity: 1.3,
      code: `
       |const COLORS = ["%first%", "%second%", "#f1faee"];
       |
     1+|function generator(seed: number) {
     1+|  return () => {
     1+|    seed = (seed * 16807) % 2147483647;
     1+|    return seed / 2147483647;
     1+|  };
     1+|}
     1+|
       |%onHttp%
     1+|  const seed = Number(new URL(%req%.url).searchParams.get("seed") ?? Date.now() % 1000);
     1+|  const random = generator(seed + 1);
     <1|  const random = Math.random;
       |  const shapes = Array.from({ length: %count% }, () => {
       |    const [x, y, r] = [random() * 800, random() * 800, random() * 40];
       |    const color = COLORS[Math.floor(random() * COLORS.length)];
  !bug |    return ~<circle cx="#{x.toFixed(1)}" cy="#{y.toFixed(1)}" r="#{r.toFixed(1)}" fill="#{color}"/>~;
   bug |    return ~<circle cx="#{x}" cy="#{y}" r="#{r}" fill="#{color.rgb.join()}"/>~;
       |  });
       |  const svg = ~<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 800">#{shapes.join("")}</svg>~;
       |  return new Response(svg, { headers: { "content-type": "image/svg+xml" } });
       |%end%
      `,
      readme: `
      |# %shape%
      |
      |Reload for another one.
     1+|Found one that you like? Keep its ~?seed=~.
      `,
      bug: { error: "TypeError: Cannot read properties of undefined (reading 'join')" },
      runs: [
        { ms: '4..30', args: [{ method: 'GET', url: '/' }] },
        { when: '1+', params: { s: '1..999' }, ms: '4..30', args: [{ method: 'GET', url: '/?seed=%s%' }] },
      ],
      praise: ['Seed 12 is on my wall now.', 'Reloaded this for ten minutes instead of working.'],
      wishes: [
        {
          stage: 1,
          wish: 'I had a perfect one and reloaded. It is gone forever.',
          reply: 'Never again: `?seed=` in version %version%.',
        },
      ],
    },
  ],
};
