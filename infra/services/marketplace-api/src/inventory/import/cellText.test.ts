import { describe, expect, it } from '@jest/globals';
import { cellText } from './cellText.ts';
import { createNoValueTest } from './noValue.ts';

describe("a cell's text", () => {
  it.each([
    ['R&amp;B', 'R&B'],
    ['R\0&\0a\0m\0p\0;\0B', 'R&B'],
    ['="02138"', '02138'],
    ['Ã\u0081vila', 'Ávila'],
  ])('reads %j as %j', (written, read) => {
    expect(cellText(written)).toBe(read);
  });
});

it.each([
  ['[object Object]', true],
  ['[object bject]', true],
  ['[objective]', false],
  ['Object', false],
])('%s stands for no value: %s', (text, isNoValue) => {
  expect(createNoValueTest('model')(text)).toBe(isNoValue);
});
