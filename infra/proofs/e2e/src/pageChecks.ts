import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { browser } from '@wdio/globals';
import type { AxeResults } from 'axe-core';
import { HtmlValidate } from 'html-validate';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs axe on the whole document, by all rules or only those given, and formats each violation as one line. */
const violations = async (...rules: readonly string[]): Promise<string[]> =>
  await browser.execute(async (names: readonly string[]) => {
    const { axe } = window as unknown as { axe: { run: (options: object) => Promise<AxeResults> } };
    const results = await axe.run({
      resultTypes: ['violations'],
      ...(names.length > 0 && { runOnly: { type: 'rule', values: names } }),
    });
    return results.violations.map(({ id, help, nodes }) => {
      const first = nodes
        .slice(0, 3)
        .map(
          (node) => `${node.html.slice(0, 160)} ${node.failureSummary?.replaceAll('\n', ' ').slice(0, 220)}`,
        );
      return `${id}: ${help} (${nodes.length}): ${first.join(' | ')}`;
    });
  }, rules);

/**
 * Fails with every axe violation of the current page, light and dark: all rules in light colors, and in dark ones the
 * rule that depends on them.
 */
export async function expectNoAxeViolations(): Promise<void> {
  await browser.execute(axeSource);
  const light = await violations();
  await setColorScheme('dark');
  try {
    const dark = await violations('color-contrast');
    assert.deepEqual({ light, dark }, { light: [], dark: [] });
  } finally {
    await setColorScheme('');
  }
}

/** Fails when the current page scrolls horizontally. */
export async function expectNoOverflow(): Promise<void> {
  const overflow = await browser.execute(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  // Negative on a short page, which reserves space for a scroll bar.
  assert.ok(overflow <= 0, `${overflow} px too wide`);
}

/** 'dark', 'light', or '' for the browser's default. */
export const setColorScheme = (value: string): Promise<unknown> =>
  browser.sendCommand('Emulation.setEmulatedMedia', {
    features: [{ name: 'prefers-color-scheme', value }],
  });

/** Fails with each kind of problem that html-validate finds in the server HTML. */
export async function expectValidHtml(html: string): Promise<void> {
  const validator = new HtmlValidate({
    extends: ['html-validate:standard', 'html-validate:a11y'],
    rules: {
      // React serializes void elements, boolean attributes and attribute names in its own, valid style.
      'void-style': 'off',
      'attribute-boolean-style': 'off',
      'attribute-empty-style': 'off',
      'attr-case': 'off',
      'no-trailing-whitespace': 'off',
      'no-inline-style': 'off',
      'doctype-style': 'off',
      'long-title': 'off',
      // Accessible names combine visible and visually hidden text, which the rule does not see.
      'text-content': 'off',
      // Every release file has an integrity; the policy allows inline code by its hash.
      'require-sri': ['error', { target: 'all' }],
      'no-redundant-role': 'error',
      // Grid segments sit between the list and its items, which ul and li do not allow.
      'prefer-native-element': ['error', { exclude: ['list', 'listitem'] }],
    },
  });
  const { results } = await validator.validateString(html);
  const problems = results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} at ${selector ?? '?'}`),
  );
  const kinds = new Map<string, string>();
  for (const problem of problems) kinds.set(problem.split(' at ')[0] as string, problem);
  assert.equal(problems.length, 0, `${problems.length} problems:\n${[...kinds.values()].join('\n')}`);
}
