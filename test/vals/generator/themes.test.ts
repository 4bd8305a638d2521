import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { THEMES } from '#vals/generator/themes.js';
import { OTHERS, Theme } from './theme-schemas.js';

const FOLDER = new URL('../../../fixtures/themes/', import.meta.url);
const names = readdirSync(FOLDER).map((name) => name.replace(/\.json$/, ''));
const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });

test('reads every file of the themes', () => {
  expect(names.sort()).toEqual([...THEMES, ...Object.keys(OTHERS)].sort());
});

test.each(names)('%s.json is valid', (name) => {
  const value: unknown = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'));
  expect(ajv.validate(OTHERS[name] ?? Theme, value), ajv.errorsText()).toBe(true);
});
