/** @jest-environment jsdom */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isBoundSelector } from './boundSelector.ts';
import { readComponents } from './styleSyntax.ts';

const isBound = (selector: string): boolean =>
  isBoundSelector(readComponents(selector), { isNested: false, isOwnClass: (name) => name === 'own' });

const SLOT = (name: string, content: string) =>
  `<div id="slot-${name}" data-slot="${name}" class="fc-slot">${content}</div>`;
const CONTENT = (name: string) =>
  `<section class="${name}"><p class="x">a<b>b</b></p><a class="${name} x">c</a></section><p class="x">d</p>`;
/** A page with the release's slot between those of others. */
document.body.innerHTML = `<header class="fc-bar"><a>e</a></header><main class="fc-main">${SLOT('above', CONTENT('other'))}${SLOT('tiny', CONTENT('own'))}${SLOT('below', CONTENT('other'))}</main>`;
const ownSlot = document.querySelector('#slot-tiny')!;

/** What of the page a selector matches outside of the release's slot; undefined if it is no selector. */
function foreignMatches(selector: string): readonly string[] | undefined {
  try {
    return [...document.querySelectorAll(selector)]
      .filter((element) => element === ownSlot || !ownSlot.contains(element))
      .map(({ outerHTML }) => outerHTML.slice(0, 60));
  } catch {
    return undefined;
  }
}

const simple = fc.constantFrom(
  // More often than others, or hardly any selector would be bound and match.
  ...['.own', '.own', '.own', '.x', 'p', 'a', '*'],
  ...[
    '.own',
    '.other',
    '.x',
    '.fc-slot',
    '*',
    'p',
    'a',
    'body',
    'html',
    ':root',
    '#slot-below',
    '[data-slot=tiny]',
  ],
  ...[':first-child', ':last-child', ':nth-child(2)', ':empty', '[class~=own]', ':only-child'],
);
const combinator = fc.constantFrom(' ', '>', '+', '~', ' > ');
const { list } = fc.letrec<{ compound: string; complex: string; list: string }>((tie) => ({
  compound: fc.oneof(
    { maxDepth: 3 },
    { weight: 12, arbitrary: simple },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom('is', 'where', 'not', 'has'), tie('list'))
        .map(([name, inside]) => `:${name}(${inside})`),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(tie('compound'), fc.constantFrom('.own', '.x', ':first-child'))
        .map((parts) => parts.join('')),
    },
  ),
  complex: fc
    .tuple(tie('compound'), fc.array(fc.tuple(combinator, tie('compound')), { maxLength: 3 }))
    .map(([first, rest]) => first + rest.flat().join('')),
  list: fc.array(tie('complex'), { minLength: 1, maxLength: 3 }).map((all) => all.join(', ')),
}));

describe('a bound selector', () => {
  it('matches nothing outside of the slot, however it is composed', () => {
    let accepted = 0;
    let matching = 0;
    fc.assert(
      fc.property(list, (selector) => {
        if (!isBound(selector)) return;
        accepted += 1;
        const foreign = foreignMatches(selector);
        expect({ selector, foreign: foreign ?? [] }).toEqual({ selector, foreign: [] });
        if (foreign && document.querySelector(selector)) matching += 1;
      }),
      { numRuns: 3000 },
    );
    // Otherwise the property would say nothing.
    expect(accepted).toBeGreaterThan(300);
    expect(matching).toBeGreaterThan(100);
  });

  it.each([
    'body:has(.own)',
    ':is(.own, body)',
    ':not(.own)',
    '[data-slot=tiny] ~ *',
    '.fc-slot:has(> .own)',
    'p',
  ])('is not %s, which matches something outside of it', (selector) => {
    expect(isBound(selector)).toBe(false);
    expect(foreignMatches(selector)?.length).toBeGreaterThan(0);
  });
});
