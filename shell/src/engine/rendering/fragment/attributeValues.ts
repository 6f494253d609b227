import { isShellName } from '@forecourt/releases/ownNames';
import { STYLE_COLORS, STYLE_PLACES, STYLE_SIZES, type CheckedKind } from './slotHtml.data.ts';
import { Refused, type FragmentRule } from './refused.ts';
import type { StartTag } from './startTag.ts';

export interface FragmentOwner {
  readonly slot: string;
  /** Ids beside those that begin with the slot's name. */
  readonly ids?: readonly string[] | undefined;
  /** The slot is its page: it may use ids as it likes, apart from the shell's. */
  readonly isMain: boolean;
}

/** Ids that a slot may use. Everything else on the page belongs to another slot or to the shell. */
function ownsId({ slot, ids = [], isMain }: FragmentOwner, id: string): boolean {
  if (/\s/.test(id)) return false;
  if (id.startsWith(`_${slot}-`) || id.startsWith(`${slot}-`) || ids.includes(id)) return true;
  return isMain && !/^(?:fc-|slot-|_)/.test(id);
}

/** Of any host by http(s), a path, query or fragment, or a link that opens a mail or phone app. */
const SAFE_URL =
  /^(?:$|[/#?]|https?:\/\/|mailto:|tel:|sms:|data:image\/(?:png|jpeg|gif|webp|avif);|[\w%.~-]+(?:[/?#]|$))/i;
const SAME_ORIGIN = /^(?:$|[#?]|\/(?![/\\]))/;
/** Browsers drop these at the ends of a URL, and tabs and newlines inside of it. */
// oxlint-disable-next-line no-control-regex
const DROPPED_IN_URL = /^[\0- ]|[\0-\x1f]|[\0- ]$/;
/** Numbers with a unit, keywords, colors, and functions that compute one. */
const STYLE_VALUE =
  /^(?:[\w\s.,%#+*/-]|\b(?:calc|min|max|clamp|var|rgb|rgba|hsl|hsla|oklch|color-mix)\(|\))*$/i;
const COMMENT_OR_LINE = /\/\*|\/\/|[\n\r\f]/;
/** In percent of a box around: beside it at most, as a part of a map that is partly out of sight. */
function isNearPlace(value: string): boolean {
  const percent = /^(-?\d{1,3}(?:\.\d+)?)%$/.exec(value)?.[1];
  return value === '0' || (percent !== undefined && Number(percent) >= -100 && Number(percent) <= 200);
}

/** `text` is one declaration of an inline style. */
function isAllowedDeclaration(text: string): boolean {
  const colon = text.indexOf(':');
  const property = text.slice(0, colon).trim();
  const value = text.slice(colon + 1).trim();
  if (colon < 0 || !STYLE_VALUE.test(value) || COMMENT_OR_LINE.test(value)) return false;
  if (STYLE_PLACES.has(property)) return isNearPlace(value);
  if (STYLE_SIZES.has(property) || STYLE_COLORS.has(property)) return true;
  return /^--[\w-]+$/.test(property) && !isShellName(property);
}

/** In almost no list of classes, so that few are split. */
const MAYBE_SHELL_NAME = /fc-/i;

type ValueCheck = (value: string, owner: FragmentOwner) => FragmentRule | undefined;

const checkUrl: ValueCheck = (value) =>
  DROPPED_IN_URL.test(value) || !SAFE_URL.test(value) ? 'URL' : undefined;

/** Per kind, of a decoded value. */
const VALUE_CHECKS: Readonly<Record<CheckedKind, ValueCheck>> = {
  classes: (value) =>
    MAYBE_SHELL_NAME.test(value) && value.split(/\s+/).some(isShellName) ? 'ATTRIBUTE' : undefined,
  id: (value, owner) => (ownsId(owner, value) ? undefined : 'ID'),
  ids: (value, owner) =>
    value.split(/\s+/).every((id) => id === '' || ownsId(owner, id)) ? undefined : 'ID',
  fragment: (value, owner) => (value.startsWith('#') && ownsId(owner, value.slice(1)) ? undefined : 'URL'),
  url: checkUrl,
  formUrl: (value, owner) => checkUrl(value, owner) ?? (SAME_ORIGIN.test(value) ? undefined : 'URL'),
  pictures: (value) => (/javascript:|data:/i.test(value) ? 'URL' : undefined),
  style: (value) =>
    value.split(';').every((text) => text.trim() === '' || isAllowedDeclaration(text)) ? undefined : 'STYLE',
  tabIndex: (value) => (value === '0' || value === '-1' ? undefined : 'ATTRIBUTE'),
  target: (value) => (value === '_blank' || value === '_self' ? undefined : 'ATTRIBUTE'),
  paint: (value, owner) => {
    if (!value.includes('(')) return undefined;
    const id = /^url\(#([\w-]+)\)$/.exec(value)?.[1];
    if (id !== undefined) return ownsId(owner, id) ? undefined : 'ID';
    return /^(?:rgba?|hsla?|oklch|var)\([\w\s.,%/-]*\)$/.test(value) ? undefined : 'ATTRIBUTE';
  },
};

/** Throws when the slot may not have a value. */
export function checkValues({ checked }: StartTag, owner: FragmentOwner): void {
  for (const { name, kind, value } of checked) {
    const rule = VALUE_CHECKS[kind](value, owner);
    if (rule) throw new Refused(rule, rule === 'ID' && kind === 'id' ? value : `${name}="${value}"`);
  }
}
