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
  const problems = results
    .flatMap(({ messages }) => messages)
    // In the head, the styles of the slots below the results would delay the first result.
    .filter(({ message }) => !message.startsWith('<style> element is not permitted as content under'))
    .map(({ ruleId, message, selector }) => `${ruleId}: ${message} at ${selector ?? '?'}`);
  const kinds = new Map<string, string>();
  for (const problem of problems) kinds.set(problem.split(' at ')[0] as string, problem);
  assert.equal(problems.length, 0, `${problems.length} problems:\n${[...kinds.values()].join('\n')}`);
}

/** An element of structured data, with whatever properties it has. */
type DataItem = Readonly<Record<string, unknown>>;

/**
 * Properties that Google requires of a type (https://developers.google.com/search/docs/appearance/structured-data/search-gallery),
 * as paths. A vehicle listing without a price has no offer, and the mileage is required of used vehicles only.
 */
const REQUIRED_PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  BreadcrumbList: ['itemListElement.position', 'itemListElement.name', 'itemListElement.item'],
  ItemList: ['itemListElement.position', 'itemListElement.url'],
  FAQPage: ['mainEntity.name', 'mainEntity.acceptedAnswer.text'],
  Car: [
    'name',
    'description',
    'url',
    'image',
    'brand.name',
    'model',
    'vehicleModelDate',
    'vehicleIdentificationNumber',
    'itemCondition',
    'mileageFromOdometer.value',
    'mileageFromOdometer.unitCode',
    'bodyType',
    'color',
    'vehicleEngine.fuelType',
    'offers.price',
    'offers.priceCurrency',
    'offers.availability',
    'offers.seller.name',
  ],
};

/** On a busy machine the browser renders its slot, after the server's HTML. */
const LATE_TYPE = 'FAQPage';

/** The values at a path; each element of a list counts, and undefined stands for a missing one. */
const valuesAt = (value: unknown, [key, ...rest]: readonly string[]): unknown[] => {
  if (Array.isArray(value))
    return value.flatMap((element) => valuesAt(element, key === undefined ? [] : [key, ...rest]));
  if (key === undefined) return [value];
  return valuesAt((value as DataItem | undefined)?.[key], rest);
};

/** Fails unless the page's structured data has exactly these types (and questions, perhaps), each with its required properties and with absolute URLs. */
export function expectStructuredData(html: string, types: readonly string[]): void {
  const scripts = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  const items = scripts.flatMap(([, json = '']) => {
    const data = JSON.parse(json) as DataItem;
    assert.equal(data['@context'], 'https://schema.org');
    return (data['@graph'] as DataItem[] | undefined) ?? [data];
  });
  const found = items.map((item) => String(item['@type'])).filter((type) => type !== LATE_TYPE);
  assert.deepEqual(found.toSorted(), types.toSorted());
  for (const item of items) {
    const type = String(item['@type']);
    for (const path of REQUIRED_PROPERTIES[type] ?? []) {
      const values = valuesAt(item, path.split('.'));
      const isComplete = values.length > 0 && values.every((value) => value !== undefined && value !== '');
      assert.ok(isComplete, `${type} has no ${path}`);
    }
    for (const path of ['url', 'image', 'item', 'itemListElement.item', 'itemListElement.url', 'offers.url'])
      for (const url of valuesAt(item, path.split('.')))
        assert.ok(
          url === undefined || (typeof url === 'string' && /^https?:\/\//.test(url)),
          `${type} has a relative ${path}`,
        );
  }
}
