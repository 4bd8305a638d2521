import type { Rng } from '#engine/lib/rng.js';

/** Colours of avatars: background, middle and front. */
const PALETTES = [
  ['#264653', '#2a9d8f', '#e9c46a'],
  ['#1d3557', '#457b9d', '#f1faee'],
  ['#3d405b', '#e07a5f', '#f4f1de'],
  ['#2b2d42', '#8d99ae', '#ef233c'],
  ['#355070', '#b56576', '#eaac8b'],
  ['#003049', '#fcbf49', '#d62828'],
  ['#22223b', '#9a8c98', '#f2e9e4'],
  ['#006d77', '#83c5be', '#ffddd2'],
];

/** Draws a random avatar as an SVG data URL, so that it needs no network. */
export function drawAvatar(rng: Rng, username: string): string {
  const [back = '', middle = '', front = ''] = rng.pick(PALETTES);
  const draw = rng.pick([drawLetter, drawFace, drawPixels, drawHills]);
  const shapes = draw(rng, middle, front, username);
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 40'><rect width='40' height='40' fill='${back}'/>${shapes}</svg>`;
  return `data:image/svg+xml,${svg.replaceAll(/[<># ]/g, encodeURIComponent)}`;
}

const drawLetter = (rng: Rng, middle: string, front: string, username: string) =>
  `<circle cx='${rng.int(8, 32)}' cy='${rng.int(8, 32)}' r='18' fill='${middle}'/>` +
  `<text x='20' y='27' font-size='20' font-family='sans-serif' text-anchor='middle' fill='${front}'>${username.charAt(0).toUpperCase()}</text>`;

function drawFace(rng: Rng, middle: string, front: string): string {
  const eyes = rng.int(15, 18);
  const smile = rng.int(27, 33);
  return (
    `<circle cx='20' cy='21' r='14' fill='${middle}'/>` +
    `<circle cx='${eyes}' cy='18' r='2' fill='${front}'/><circle cx='${40 - eyes}' cy='18' r='2' fill='${front}'/>` +
    `<path d='M13 25 Q20 ${smile} 27 25' stroke='${front}' stroke-width='2' fill='none'/>`
  );
}

/** Draws random pixels and their mirror image. */
function drawPixels(rng: Rng, middle: string, front: string): string {
  let cells = '';
  for (let y = 0; y < 5; y++) {
    for (let x = 0; x < 3; x++) {
      if (rng.bool()) continue;
      const path = (column: number) => `M${5 + column * 6} ${5 + y * 6}h6v6h-6z`;
      cells += x === 2 ? path(x) : path(x) + path(4 - x);
    }
  }
  return `<path d='${cells || 'M5 5h30v30h-30z'}' fill='${rng.bool() ? middle : front}'/>`;
}

const drawHills = (rng: Rng, middle: string, front: string) =>
  `<circle cx='${rng.int(8, 32)}' cy='${rng.int(8, 16)}' r='${rng.int(3, 6)}' fill='${front}'/>` +
  `<path d='M0 ${rng.int(20, 30)} Q12 ${rng.int(12, 20)} 22 30 T40 ${rng.int(22, 30)} V40 H0z' fill='${middle}'/>`;
