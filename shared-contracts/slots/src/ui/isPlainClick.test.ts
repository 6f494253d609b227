import { expect, it } from '@jest/globals';
import { isPlainClick } from './isPlainClick.ts';

const plain = { button: 0, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false };

it('is a plain click with the main button and no key', () => {
  expect(isPlainClick(plain)).toBe(true);
});

it.each([
  { button: 1 },
  { button: 2 },
  { metaKey: true },
  { ctrlKey: true },
  { shiftKey: true },
  { altKey: true },
])('is no plain click with %j', (part) => {
  expect(isPlainClick({ ...plain, ...part })).toBe(false);
});
