import * as fc from 'fast-check';

/** Texts of any code points, lone surrogates too. The units of fast-check begin with a map of all 1,114,112, which takes 0.5 s. */
export const anyText: fc.Arbitrary<string> = fc.string({
  unit: fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point)),
});
