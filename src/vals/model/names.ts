/** Adjectives, colors and animals. */
const WORDS = [
  'amiable apt awake brave brisk calm candid cheerful clever cosy curious daring eager earnest fair fearless gentle glad graceful handy honest jolly keen kind light lively lucky mellow merry neat nimble patient plucky polite proud quick quiet sincere steady tidy warm wise witty wonderful',
  'Amber Aqua Azure Beige Blue Bronze Copper Coral Crimson Cyan Emerald Gold Gray Green Indigo Ivory Jade Lime Magenta Maroon Olive Orange Peach Pink Plum Purple Red Salmon Scarlet Silver Tan Teal Violet White Yellow',
  'Badger Bear Beaver Bee Bison Camel Cat Cod Crane Crow Deer Dove Eagle Falcon Ferret Finch Fox Frog Gecko Goat Goose Gorilla Hare Hawk Heron Ibex Jackal Koala Lark Lemur Llama Lynx Marmoset Marten Mole Moose Newt Otter Owl Panda Puffin Quail Raven Robin Scallop Seal Stoat Swan Tiger Toad Turtle Walrus Wren Yak Zebra',
].map((list) => list.split(' '));

/** Draws without a free name after which a number is appended. */
const MAX_DRAWS = 20;

/**
 * Generates a free name in the style of the real service: `aptCoralGorilla`.
 * @param random draws a number from 0 (inclusive) to 1 (exclusive)
 */
export function generateName(random: () => number, isTaken: (name: string) => boolean): string {
  for (let draw = 1; ; draw++) {
    const words = WORDS.map((list) => list[Math.floor(random() * list.length)]);
    const name = words.join('') + (draw > MAX_DRAWS ? String(draw) : '');
    if (!isTaken(name)) return name;
  }
}
