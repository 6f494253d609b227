import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { browser } from '@wdio/globals';
import type { AxeResults } from 'axe-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs axe over the whole document; each violation as one line. */
async function violations(): Promise<string[]> {
  await browser.execute(axeSource);
  return browser.execute(async () => {
    const { axe } = window as unknown as { axe: { run: (options: object) => Promise<AxeResults> } };
    const results = await axe.run({ resultTypes: ['violations'] });
    return results.violations.map(({ id, help, nodes }) => {
      const first = nodes
        .slice(0, 3)
        .map(
          (node) => `${node.html.slice(0, 160)} ${node.failureSummary?.replaceAll('\n', ' ').slice(0, 220)}`,
        );
      return `${id}: ${help} (${nodes.length}): ${first.join(' | ')}`;
    });
  });
}

/** Fails with every violation that axe finds on the page at hand. */
export async function expectNoViolation(): Promise<void> {
  const found = await violations();
  assert.equal(found.length, 0, found.join('\n'));
}

/** Fails when the page at hand scrolls sideways. */
export async function expectNoOverflow(): Promise<void> {
  const overflow = await browser.execute(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  // Less than nothing on a short page, which keeps room for a scroll bar that it does not have.
  assert.ok(overflow <= 0, `${overflow} px too wide`);
}

/** 'dark', 'light', or '' for the browser's own. */
export const setColorScheme = (value: string): Promise<unknown> =>
  browser.sendCommand('Emulation.setEmulatedMedia', {
    features: [{ name: 'prefers-color-scheme', value }],
  });
