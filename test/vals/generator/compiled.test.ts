import { expect, test } from 'vitest';
import { renderCode } from '#vals/generator/val.js';
import { listCompilerErrors } from './compiler.js';
import { listTemplateCases } from './template-cases.js';

const filesOf = (bug: boolean) => {
  const cases = listTemplateCases().filter(({ variant }) => variant.hasBug === bug);
  return new Map(cases.map(({ name, draft, variant }) => [name, renderCode(draft, variant)]));
};

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
