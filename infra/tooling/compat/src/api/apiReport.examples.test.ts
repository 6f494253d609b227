import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SlotModule } from '@forecourt/slots';
import { renderSlot } from '@forecourt/slots/server';
import { defineState, type SiteState } from '@forecourt/slots/state';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApiReport, examplesOf } from './apiReport.ts';

const examples = examplesOf('@forecourt/slots');

/** The site of the examples: a library. */
const library = defineState<{ shelf: { genre: string } }>({
  reducers: { shelf: (state = { genre: 'novels' }) => state },
  divided: ['shelf'],
  changes: {},
});

let folder: string;
beforeAll(() => {
  // Inside of the package, so that imports resolve.
  folder = mkdtempSync(join(import.meta.dirname, 'example-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the examples of @forecourt/slots', () => {
  it('are there for every name that a first slot needs', () => {
    const section = createApiReport('slots').markdown.split(/^## /m)[1] ?? '';
    const names = [...section.matchAll(/^- \[`(\w+)`\]/gm)].map(([, name]) => name);
    expect([...examples.keys()].sort()).toEqual(names.sort());
  });

  it.each([...examples])('runs the example of %s', async (name, code) => {
    const file = join(folder, `${name}.tsx`);
    writeFileSync(file, code);
    const { default: slot } = (await import(pathToFileURL(file).href)) as { default: SlotModule };
    const { html } = await renderSlot(library as unknown as SiteState, slot, {
      slot: 'example',
      state: library.createStore().getState() as object,
      call: (async () => ['Emma', 'Persuasion']) as never,
      signal: new AbortController().signal,
    });
    const text = html.replaceAll(/<[^>]*>/g, '');
    const expected = [...code.matchAll(/^\/\/ renders: (.*)$/gm)].map(([, words]) => words!);
    expect(expected.length).toBeGreaterThan(0);
    for (const words of expected) expect(text).toContain(words);
  });
});
