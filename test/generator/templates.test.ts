import { expect, test } from 'vitest';
import { matchesConditions } from '../../src/generator/text.js';
import { renderCode } from '../../src/generator/val.js';
import { listCompilerErrors } from './compiler.js';
import { formatTitle, listTemplateCases, TEMPLATES } from './template-cases.js';
import { SLOTS } from './theme-schemas.js';

const all = listTemplateCases().map(({ name, draft, variant }) => ({
  name,
  variant,
  code: renderCode(draft, variant),
}));
const filesOf = (bug: boolean) =>
  new Map(all.filter(({ variant }) => variant.hasBug === bug).map(({ name, code }) => [name, code]));

test('the compiler reports broken code', () => {
  expect(listCompilerErrors(new Map([['broken', 'export const x = (;']]), { types: false })).toHaveLength(1);
  expect(listCompilerErrors(new Map([['wrong', 'export const x = y;']]), { types: true })).toHaveLength(1);
});

test('every template parses and compiles in all its variants', () => {
  expect(filesOf(false).size).toBeGreaterThan(300);
  expect(listCompilerErrors(filesOf(false), { types: true })).toEqual([]);
});

test('every bug parses', () => {
  expect(filesOf(true).size).toBeGreaterThan(300);
  expect(listCompilerErrors(filesOf(true), { types: false })).toEqual([]);
});

test.each(TEMPLATES.map((template) => [formatTitle(template), template] as const))(
  '%s uses the names that it declares',
  (_, template) => {
    const {
      needs = [],
      uses = [],
      params = {},
      tweaks = [],
      provides,
      runs,
      stages,
      wishes = [],
      code,
      readme = '',
    } = template;
    const texts = JSON.stringify([
      code,
      readme,
      template.names,
      runs,
      template.bug,
      template.errors,
      template.praise,
      wishes,
      params,
    ]);
    for (const slot of SLOTS)
      expect([slot, code.includes(`"%${slot}.url%"`)]).toEqual([slot, [...needs, ...uses].includes(slot)]);
    for (const name of Object.keys(params)) {
      expect(SLOTS).not.toContain(name);
      expect(texts.toLowerCase()).toMatch(new RegExp(`%${name.toLowerCase()}(\\.\\w+)?-?%`));
    }
    for (const tweak of tweaks) expect(Object.keys(params)).toContain(tweak);
    for (const tweak of tweaks) expect(code.toLowerCase()).toMatch(new RegExp(`%${tweak.toLowerCase()}(\\.\\w+)?-?%`));
    if (provides) expect(code).toContain('export');
    for (const { stage } of wishes) expect(stage).toBeLessThanOrEqual(stages);
    for (let stage = 0; stage <= stages; stage++) {
      const possible = runs.filter(({ when = '' }) => matchesConditions(when, { stage, flags: new Set() }));
      expect(possible.length).toBeGreaterThan(0);
    }
  },
);
