import { TokenType } from '@csstools/css-tokenizer';
import { type Component, isDelim, isSpace, isType, nameOf, splitAtCommas } from './styleSyntax.ts';

/** Pseudo-elements that belong to their own element alone; not `::part` and `::slotted`, which reach into others. */
const PSEUDO_ELEMENTS = new Set(
  `before after first-line first-letter marker placeholder selection backdrop file-selector-button details-content
   -webkit-details-marker -webkit-scrollbar -webkit-scrollbar-thumb -webkit-scrollbar-track -webkit-slider-thumb
   -webkit-slider-runnable-track -webkit-search-cancel-button -webkit-search-decoration -webkit-inner-spin-button
   -webkit-outer-spin-button -webkit-calendar-picker-indicator -webkit-file-upload-button -webkit-meter-bar
   -webkit-progress-bar -webkit-progress-value -moz-range-thumb -moz-range-track -moz-range-progress
   -moz-progress-bar -moz-focus-inner -moz-placeholder`.split(/\s+/),
);

export interface SelectorScope {
  readonly isOwnClass: (name: string) => boolean;
  /** Inside a style rule: what `&` stands for is bound. */
  readonly isNested: boolean;
}

const hasNesting = (components: readonly Component[]): boolean =>
  components.some(
    (component) => isDelim(component, '&') || (component.inside && hasNesting(component.inside)),
  );

const isCombinator = (component: Component | undefined): boolean =>
  ['>', '+', '~'].some((character) => isDelim(component, character));

/**
 * Whether one complex selector is bound: every element that it matches, for certain, has an own class, or is below or after
 * one that has. What follows an own element through any combinator is inside the same slot. Undefined if it
 * has a part that is not known.
 */
function isBoundComplex(selector: readonly Component[], scope: SelectorScope): boolean | undefined {
  let isBound = false;
  let hasSimple = false;
  for (let at = 0; at < selector.length; at += 1) {
    const component = selector[at]!;
    if (isSpace(component)) continue;
    if (isCombinator(component)) {
      hasSimple = false;
      continue;
    }
    if (isDelim(component, '&')) {
      isBound ||= scope.isNested;
    } else if (isDelim(component, '.')) {
      at += 1;
      const name = selector[at];
      if (!isType(name, TokenType.Ident)) return undefined;
      isBound ||= scope.isOwnClass(nameOf(name));
    } else if (isType(component, TokenType.Colon)) {
      const isElement = isType(selector[at + 1], TokenType.Colon);
      at += isElement ? 2 : 1;
      const pseudo = selector[at];
      if (!isType(pseudo, TokenType.Ident) && !isType(pseudo, TokenType.Function)) return undefined;
      const name = nameOf(pseudo).toLowerCase();
      if (isElement && !PSEUDO_ELEMENTS.has(name)) return undefined;
      if (name.startsWith('host')) return undefined;
      if (pseudo.inside && (name === 'is' || name === 'where'))
        isBound ||= isBoundList(pseudo.inside, { ...scope, isInside: true }) === true;
    } else if (
      !isType(component, TokenType.Ident) &&
      !isType(component, TokenType.Hash) &&
      !isType(component, TokenType.OpenSquare) &&
      !isDelim(component, '*')
    )
      return undefined;
    hasSimple = true;
  }
  return hasSimple && isBound;
}

/** Whether each selector of a list is bound; undefined if one has a part that is not known. */
function isBoundList(
  list: readonly Component[],
  scope: SelectorScope & { readonly isInside?: boolean },
): boolean | undefined {
  const all = splitAtCommas(list).map((selector) => {
    const isBound = isBoundComplex(selector, scope);
    // A nested rule's selector is below `&` unless it names it; inside of `:is()`, nothing is added.
    const isBelow = scope.isNested && !scope.isInside && (isCombinator(selector[0]) || !hasNesting(selector));
    return isBound === undefined ? undefined : isBound || (isBelow && selector.length > 0);
  });
  return all.includes(undefined) ? undefined : !all.includes(false);
}

/** Whether a rule's selectors match the owner's elements only: in a table of tests beside this file. */
export const isBoundSelector = (prelude: readonly Component[], scope: SelectorScope): boolean =>
  isBoundList(prelude, scope) === true;
