import { expect, test } from 'vitest';
import { matchesConditions } from '#vals/generator/text.js';
import { formatTitle, TEMPLATES } from './template-cases.js';
import { SLOTS } from './theme-schemas.js';

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
