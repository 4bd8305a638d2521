import type { State } from './state.js';
import { findValByName } from './vals.js';

const ADJECTIVES =
  'amiable apt awake brave brisk calm candid cheerful clever cosy curious daring eager earnest fair fearless gentle glad graceful handy honest jolly keen kind light lively lucky mellow merry neat nimble patient plucky polite proud quick quiet sincere steady tidy warm wise witty wonderful'.split(
    ' ',
  );
const COLOURS =
  'Amber Aqua Azure Beige Blue Bronze Copper Coral Crimson Cyan Emerald Gold Gray Green Indigo Ivory Jade Lime Magenta Maroon Olive Orange Peach Pink Plum Purple Red Salmon Scarlet Silver Tan Teal Violet White Yellow'.split(
    ' ',
  );
const ANIMALS =
  'Badger Bear Beaver Bee Bison Camel Cat Cod Crane Crow Deer Dove Eagle Falcon Ferret Finch Fox Frog Gecko Goat Goose Gorilla Hare Hawk Heron Ibex Jackal Koala Lark Lemur Llama Lynx Marmoset Marten Mole Moose Newt Otter Owl Panda Puffin Quail Raven Robin Scallop Seal Stoat Swan Tiger Toad Turtle Walrus Wren Yak Zebra'.split(
    ' ',
  );

/** A name for a val that came without one, in the style of the real service: `aptCoralGorilla`. Free with this author. */
export function inventName(state: State, authorId: string): string {
  for (;;) {
    const name = [ADJECTIVES, COLOURS, ANIMALS].map((words) => words[Math.floor(state.draw() * words.length)]).join('');
    if (!findValByName(state, authorId, name)) return name;
  }
}
