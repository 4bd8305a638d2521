/** Colours of avatars: background, middle and front. */
export const PALETTES = [
  ['#264653', '#2a9d8f', '#e9c46a'],
  ['#1d3557', '#457b9d', '#f1faee'],
  ['#3d405b', '#e07a5f', '#f4f1de'],
  ['#2b2d42', '#8d99ae', '#ef233c'],
  ['#355070', '#b56576', '#eaac8b'],
  ['#003049', '#fcbf49', '#d62828'],
  ['#22223b', '#9a8c98', '#f2e9e4'],
  ['#006d77', '#83c5be', '#ffddd2'],
];
