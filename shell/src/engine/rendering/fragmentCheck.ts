import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { RenderFailure, type RenderedSlot } from './slotRenderer.ts';
import {
  ATTRIBUTES,
  CHILDREN,
  CLOSES_P,
  HTML_ELEMENTS,
  KEEPS_P_OPEN,
  MAX_ATTRIBUTES,
  MAX_ELEMENTS,
  MAX_HTML_BYTES,
  MAX_IDS,
  MAX_LEVELS,
  NAMED_ON_DOCUMENT,
  NOT_NESTED,
  PARENTS,
  SHELL_DATA,
  STYLE_PLACES,
  STYLE_SIZES,
  SVG_ELEMENTS,
  TEXT_ONLY_ELEMENTS,
  VOID_ELEMENTS,
  WITHOUT_TEXT,
  type AttributeKind,
} from './slotHtml.data.ts';

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

export interface Violation {
  readonly rule: FragmentRule;
  /** Where and what, for the log. */
  readonly found: string;
}

/*
 * React escapes `<`, `>`, `&` and `"` in texts and attributes, quotes every attribute and closes every element. With the
 * rules of nesting, a fragment that is only what React writes has one reading, without the corrections of an HTML
 * parser, and a scan of its tags suffices. Whatever is not of this form came by `dangerouslySetInnerHTML` or not from
 * React, and is refused. A property test compares the tree of accepted fragments with that of parse5.
 */

/** Of any host by http(s), a path, query or fragment, or a link that opens a mail or phone app. */
const SAFE_URL =
  /^(?:$|[/#?]|https?:\/\/|mailto:|tel:|sms:|data:image\/(?:png|jpeg|gif|webp|avif);|[\w%.~-]+(?:[/?#]|$))/i;
const SAME_ORIGIN = /^(?:$|[#?]|\/(?![/\\]))/;
/** Browsers drop these at the ends of a URL, and tabs and newlines inside of it. */
// oxlint-disable-next-line no-control-regex
const DROPPED_IN_URL = /^[\0- ]|[\0-\x1f]|[\0- ]$/;
/** React writes no other character references. */
const OTHER_REFERENCE = /&(?!amp;|quot;|#x27;|lt;|gt;)/;
const REFERENCE = /&(?:amp|quot|#x27|lt|gt);/g;
const CHARACTERS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#x27;': "'",
  '&lt;': '<',
  '&gt;': '>',
};

/** Numbers with a unit, keywords, colors, and functions that compute one. */
const STYLE_VALUE =
  /^(?:[\w\s.,%#+*/-]|\b(?:calc|min|max|clamp|var|rgb|rgba|hsl|hsla|oklch|color-mix)\(|\))*$/i;
const COMMENT_OR_LINE = /\/\*|\/\/|[\n\r\f]/;
/** From 0 to 100 %. */
const PERCENT = /^(?:100|\d{1,2}(?:\.\d+)?)%$|^0$/;

const MAX_FOUND = 120;

const COMMENT = /^<!--[^<>-]{0,20}-->$/;
const ELEMENT_NAME = /[a-zA-Z][a-zA-Z0-9]*/y;
const ATTRIBUTE_NAME = /^[^\s"'<>/=\0]+$/;

/** React writes these for pictures of high priority. */
const PICTURE_PRELOAD =
  /^ rel="preload" as="image"(?: (?:href|imageSrcSet|imageSizes|fetchPriority|crossOrigin|referrerPolicy)="[^"]*")*$/;

class Refused extends Error {
  readonly rule: FragmentRule;
  constructor(rule: FragmentRule, found: string) {
    super(found.slice(0, MAX_FOUND));
    this.rule = rule;
  }
}

/** Ids that a slot may use. Everything else on the page belongs to another slot or to the shell. */
function ownsId({ slot, ids = [], isMain }: FragmentOwner, id: string): boolean {
  if (/\s/.test(id)) return false;
  if (id.startsWith(`_${slot}-`) || id.startsWith(`${slot}-`) || ids.includes(id)) return true;
  return isMain && !/^(?:fc-|slot-|_)/.test(id);
}

export interface FragmentOwner {
  readonly slot: string;
  /** Ids beside those that begin with the slot's name. */
  readonly ids?: readonly string[] | undefined;
  /** The slot is its page: it may use ids as it likes, apart from the shell's. */
  readonly isMain: boolean;
}

/** `text` is one declaration of an inline style. */
function isAllowedDeclaration(text: string): boolean {
  const colon = text.indexOf(':');
  const property = text.slice(0, colon).trim();
  const value = text.slice(colon + 1).trim();
  if (colon < 0 || !STYLE_VALUE.test(value) || COMMENT_OR_LINE.test(value)) return false;
  if (STYLE_PLACES.has(property)) return PERCENT.test(value);
  return STYLE_SIZES.has(property) || (/^--[\w-]+$/.test(property) && !property.startsWith('--fc-'));
}

type ValueCheck = (value: string, owner: FragmentOwner) => FragmentRule | undefined;

const checkUrl: ValueCheck = (value) =>
  DROPPED_IN_URL.test(value) || !SAFE_URL.test(value) ? 'URL' : undefined;

/** Per kind, of a decoded value. */
const VALUE_CHECKS: Readonly<Record<Exclude<AttributeKind, 'any'>, ValueCheck>> = {
  classes: (value) => (/(?:^|\s)fc-/.test(value) ? 'ATTRIBUTE' : undefined),
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

/** A start tag, whatever surrounds it. */
interface StartTag {
  readonly name: string;
  /** Attributes whose values depend on the slot. */
  readonly checked: readonly {
    readonly name: string;
    readonly kind: AttributeKind;
    readonly value: string;
  }[];
  readonly attributes: number;
  readonly id: string | undefined;
  /** It ends with a slash. */
  readonly isClosed: boolean;
  readonly isVoid: boolean;
  readonly isHtml: boolean;
  readonly isSvg: boolean;
}

/** Undefined for an attribute that any slot may have with any value. */
function kindOf(element: string, name: string): AttributeKind | undefined {
  if (element === 'use' && name === 'href') return 'fragment';
  const kind = ATTRIBUTES.get(name);
  if (kind === undefined && (!name.startsWith('data-') || SHELL_DATA.has(name) || !ATTRIBUTE_NAME.test(name)))
    throw new Refused('ATTRIBUTE', `${name} of <${element}>`);
  if (name === 'name' && NAMED_ON_DOCUMENT.has(element))
    throw new Refused('ATTRIBUTE', `name of <${element}>`);
  // An open dialog of HTML is a box like others, but for assistive technology a window of its own.
  if (name === 'open' && element === 'dialog') throw new Refused('ATTRIBUTE', 'open of <dialog>');
  return kind === 'any' ? undefined : kind;
}

const decode = (raw: string): string =>
  raw.includes('&') ? raw.replace(REFERENCE, (reference) => CHARACTERS[reference]!) : raw;

/** Attributes between `from` and `to`, each ` name="value"`. Scanned by hand, because this is most of the check's time. */
function parseAttributes(text: string, from: number, to: number, element: string) {
  const checked: StartTag['checked'][number][] = [];
  const names: string[] = [];
  for (let at = from; at < to;) {
    const equals = text.indexOf('="', at);
    const end = equals < 0 ? -1 : text.indexOf('"', equals + 2);
    if (text[at] !== ' ' || end < 0 || end >= to) throw new Refused('SYNTAX', text);
    const given = text.slice(at + 1, equals);
    const name = ATTRIBUTES.has(given) ? given : given.toLowerCase();
    if (!ATTRIBUTES.has(name) && !ATTRIBUTE_NAME.test(name)) throw new Refused('SYNTAX', text);
    // A browser ignores the second.
    if (names.includes(name)) throw new Refused('ATTRIBUTE', `${name} twice`);
    names.push(name);
    const kind = kindOf(element, name);
    if (kind !== undefined) checked.push({ name, kind, value: decode(text.slice(equals + 2, end)) });
    at = end + 1;
  }
  return { checked, attributes: names.length };
}

/** Undefined for a comment. Throws when the text is neither. */
function parseStartTag(text: string): StartTag | undefined {
  ELEMENT_NAME.lastIndex = 1;
  const given = ELEMENT_NAME.exec(text)?.[0];
  if (given === undefined) {
    if (!COMMENT.test(text)) throw new Refused('SYNTAX', text);
    return undefined;
  }
  const isClosed = text.endsWith('/>');
  const from = 1 + given.length;
  const to = text.length - (isClosed ? 2 : 1);
  if (!text.endsWith('>') || text.indexOf('<', 1) >= 0 || (from < to && text[from] !== ' '))
    throw new Refused('SYNTAX', text);
  if (text.includes('&') && OTHER_REFERENCE.test(text))
    throw new Refused('SYNTAX', `a character reference in ${text}`);
  const element = given.toLowerCase();
  const isPreload = given === 'link' && PICTURE_PRELOAD.test(text.slice(from, to));
  const isVoid = VOID_ELEMENTS.has(element) || isPreload;
  const isHtml = HTML_ELEMENTS.has(element) || isVoid;
  const isSvg = SVG_ELEMENTS.has(element);
  if (!isHtml && !isSvg) throw new Refused('ELEMENT', element);
  const { checked, attributes } = parseAttributes(text, from, to, element);
  const id = checked.find(({ kind }) => kind === 'id')?.value;
  return { name: element, checked, attributes, id, isClosed, isVoid, isHtml, isSvg };
}

function checkValues({ checked }: StartTag, owner: FragmentOwner): void {
  for (const { name, kind, value } of checked) {
    const rule = kind === 'any' ? undefined : VALUE_CHECKS[kind](value, owner);
    if (rule) throw new Refused(rule, rule === 'ID' && kind === 'id' ? value : `${name}="${value}"`);
  }
}

interface OpenElement {
  readonly name: string;
  readonly isSvg: boolean;
  /** A `p` is open that a block inside would close. */
  readonly isInP: boolean;
  /** Groups of elements that may not be inside, because one is open. */
  readonly notNested: readonly string[];
}

/** Open elements, innermost last. */
class Elements {
  readonly #open: OpenElement[] = [];
  #elements = 0;
  #attributes = 0;
  readonly #ids = new Set<string>();

  start(tag: StartTag): void {
    const { name } = tag;
    this.#count(tag);
    const parent = this.#open.at(-1);
    const isSvg = tag.isSvg && (name === 'svg' || parent?.isSvg === true);
    if (!isSvg && (!tag.isHtml || parent?.isSvg === true)) throw new Refused('ELEMENT', name);
    if (parent !== undefined && TEXT_ONLY_ELEMENTS.has(parent.name))
      throw new Refused('ELEMENT', `${name} in ${parent.name}`);
    if (!isSvg) this.#checkPlace(name, parent);
    else if (parent !== undefined && CHILDREN.has(parent.name))
      throw new Refused('NESTING', `${name} in ${parent.name}`);
    if (tag.isVoid) return;
    // A browser ignores the slash of any other HTML element and keeps the element open.
    if (tag.isClosed) throw new Refused('BALANCE', `<${name}/>`);
    const group = isSvg ? undefined : NOT_NESTED.get(name);
    const notNested = parent?.notNested ?? [];
    const levels = this.#open.push({
      name,
      isSvg,
      isInP: !isSvg && (name === 'p' || (parent?.isInP === true && !KEEPS_P_OPEN.has(name))),
      notNested: group === undefined ? notNested : [...notNested, group],
    });
    if (levels > MAX_LEVELS) throw new Refused('SIZE', `more than ${MAX_LEVELS} levels`);
  }

  #count({ attributes, id }: StartTag): void {
    this.#elements += 1;
    this.#attributes += attributes;
    if (this.#elements > MAX_ELEMENTS) throw new Refused('SIZE', `more than ${MAX_ELEMENTS} elements`);
    if (this.#attributes > MAX_ATTRIBUTES)
      throw new Refused('SIZE', `more than ${MAX_ATTRIBUTES} attributes`);
    if (id === undefined) return;
    if (this.#ids.has(id)) throw new Refused('ID', id);
    this.#ids.add(id);
    if (this.#ids.size > MAX_IDS) throw new Refused('SIZE', `more than ${MAX_IDS} ids`);
  }

  /** Whether a parser leaves an HTML element where its tag is. */
  #checkPlace(name: string, parent: OpenElement | undefined): void {
    const refuse = (): never => {
      throw new Refused('NESTING', `${name} in ${parent?.name ?? 'the slot'}`);
    };
    const group = NOT_NESTED.get(name);
    if (group !== undefined && parent?.notNested.includes(group) === true) refuse();
    if (parent?.isInP === true && CLOSES_P.has(name)) refuse();
    if (parent !== undefined && CHILDREN.get(parent.name)?.has(name) === false) refuse();
    const parents = PARENTS.get(name);
    if (parents === undefined) return;
    if (parent === undefined) refuse();
    const place = parent!.name === 'div' ? `${this.#open.at(-2)?.name}>div` : parent!.name;
    if (!parents.has(place)) refuse();
  }

  /** Text between two tags. */
  text(text: string): void {
    const parent = this.#open.at(-1);
    if (parent !== undefined && WITHOUT_TEXT.has(parent.name) && /[^ \t\n]/.test(text))
      throw new Refused('NESTING', `text in ${parent.name}`);
  }

  end(given: string): void {
    const name = this.#open.pop()?.name;
    if (name !== given && name !== given.toLowerCase()) throw new Refused('BALANCE', `</${given}>`);
  }

  finish(): void {
    const left = this.#open.at(-1);
    if (left !== undefined) throw new Refused('BALANCE', `<${left.name}> is not closed`);
  }
}

/** Tags between two pauses: a fraction of a millisecond. */
const TAGS_BETWEEN_PAUSES = 200;

/** Checks tag by tag and yields where it may be paused. */
function* checkTags(html: string, owner: FragmentOwner): Generator<void, void> {
  if (html.length > MAX_HTML_BYTES) throw new Refused('SIZE', `${html.length} bytes`);
  const elements = new Elements();
  // Most start tags of a page occur more than once: reading each text once saves half of the time.
  const parsed = new Map<string, StartTag | undefined>();
  let tags = 0;
  let last = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', last)) {
    tags += 1;
    if (tags % TAGS_BETWEEN_PAUSES === 0) yield;
    if (at > last) elements.text(html.slice(last, at));
    const end = html.indexOf('>', at);
    last = end < 0 ? html.length : end + 1;
    if (html.startsWith('</', at)) {
      elements.end(html.slice(at + 2, end < 0 ? undefined : end));
      continue;
    }
    // No tag that React writes has a `>` inside.
    const text = html.slice(at, last);
    let tag = parsed.get(text);
    if (!tag) {
      if (parsed.has(text)) continue;
      tag = parseStartTag(text);
      if (tag) checkValues(tag, owner);
      parsed.set(text, tag);
      if (!tag) continue;
    }
    elements.start(tag);
  }
  elements.finish();
}

function violationOf(error: unknown, isText: boolean): Violation {
  if (!(error instanceof Refused)) throw error;
  const { rule, message } = error;
  return { rule, found: isText ? message : Buffer.from(message, 'latin1').toString('utf8') };
}

/**
 * Of bytes each is read as one character: tags, names and quotes are ASCII, whose bytes are no part of another character.
 */
const readable = (html: string | Buffer): string =>
  typeof html === 'string' ? html : html.toString('latin1');

/** Reads and checks in pieces; returns the first violation, undefined if the HTML may be sent. */
function* checking(html: string | Buffer, owner: FragmentOwner): Generator<void, Violation | undefined> {
  if (typeof html !== 'string' && html.length <= MAX_HTML_BYTES && !isUtf8(html))
    return { rule: 'SYNTAX', found: 'bytes that are not UTF-8' };
  try {
    yield* checkTags(readable(html), owner);
    return undefined;
  } catch (error) {
    return violationOf(error, typeof html === 'string');
  }
}

/** The first violation in a slot's HTML, or in its bytes in UTF-8; undefined if it may be sent. */
export function checkFragment(html: string | Buffer, owner: FragmentOwner): Violation | undefined {
  const steps = checking(html, owner);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** ms of checking after which others get a turn. */
const SLICE_MS = 4;

/**
 * Rejects with RenderFailure BAD_HTML for a slot's HTML that may not be sent. A large fragment is checked in slices, so
 * that it does not hold up other pages.
 */
export async function assertFragment(
  rendered: Pick<RenderedSlot, 'html' | 'bytes'>,
  owner: FragmentOwner,
): Promise<void> {
  const steps = checking(rendered.bytes ?? rendered.html, owner);
  let sliceStart = performance.now();
  let step = steps.next();
  while (!step.done) {
    if (performance.now() - sliceStart > SLICE_MS) {
      await setImmediate();
      sliceStart = performance.now();
    }
    step = steps.next();
  }
  const violation = step.value;
  if (violation) throw new RenderFailure('BAD_HTML', `${violation.rule}: ${violation.found}`);
}
