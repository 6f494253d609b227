import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';

// Runs before a test file is loaded, and writes which units of the sources its loading and each of its tests reach: see
// `withMarkers`. What hooks outside of tests reach belongs to every test.

const loaded = new Set<string>();
const hooks = new Set<string>();
const tests = new Map<string, Set<string>>();
let reached = loaded;

Object.assign(globalThis, { reached: (path: string) => (unit: number) => reached.add(`${path}#${unit}`) });

beforeAll(() => {
  reached = hooks;
});
beforeEach(() => {
  reached = new Set();
  tests.set(expect.getState().currentTestName!, reached);
});
afterAll(() => {
  const recording = [...tests].map(([name, units]) => [name, [...units, ...hooks]]);
  writeFileSync(process.env['RECORDING']!, JSON.stringify({ loaded: [...loaded], tests: recording }));
});
