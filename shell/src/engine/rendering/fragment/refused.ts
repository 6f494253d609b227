/** Why a slot's HTML is not sent; each code is stable, the troubleshooting page lists them. */
export type FragmentRule =
  /** Not HTML as React writes it: a stray `<`, an unquoted attribute, an unknown comment or character reference. */
  | 'SYNTAX'
  /** An element that is not in the list of those that a slot may use. */
  | 'ELEMENT'
  /** An element where an HTML parser would move it or close another. */
  | 'NESTING'
  /** A closing tag that closes nothing, or an element that is never closed. */
  | 'BALANCE'
  /** An attribute that is not in the list, or a value that it may not have. */
  | 'ATTRIBUTE'
  /** An inline style with a property or value that is not in the list. */
  | 'STYLE'
  /** A URL with another scheme, or a form that sends elsewhere. */
  | 'URL'
  /** An id that is not the slot's own, or used twice; or a reference to such an element. */
  | 'ID'
  /** More bytes, elements, attributes, ids or levels than a slot may have. */
  | 'SIZE';

const MAX_FOUND = 120;

/** Thrown by the steps of the check. */
export class Refused extends Error {
  readonly rule: FragmentRule;
  constructor(rule: FragmentRule, found: string) {
    super(found.slice(0, MAX_FOUND));
    this.rule = rule;
  }
}
