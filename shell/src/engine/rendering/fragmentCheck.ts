import { isUtf8 } from 'node:buffer';
import { RenderFailure, type RenderedSlot } from './slotRenderer.ts';

/** Why a slot's HTML is not sent; each code is stable, the troubleshooting page lists them. */
export type FragmentRule =
  /** Not HTML as React writes it: a stray `<`, an unquoted attribute, an unknown comment. */
  | 'SYNTAX'
  /** An element that is not in the list of those that a slot may use. */
  | 'ELEMENT'
  /** A closing tag that closes nothing, or an element that is never closed. */
  | 'BALANCE'
  /** An event handler, or an attribute that loads or runs something. */
  | 'ATTRIBUTE'
  /** A URL with another scheme, or a form that sends elsewhere. */
  | 'URL'
  /** An id that is not the slot's own, or used twice; or a reference to such an element. */
  | 'ID';

export interface Violation {
  readonly rule: FragmentRule;
  /** Where and what, for the log. */
  readonly found: string;
}

/*
 * React escapes `<`, `>`, `&` and `"` in texts and attributes, quotes every attribute and closes every element. So a
 * fragment that is only what React writes has one reading, without the corrections of an HTML parser, and a scan of its
 * tags suffices. Whatever is not of this form came by `dangerouslySetInnerHTML` or not from React, and is refused. A
 * property test compares the verdict with what parse5 makes of the fragment inside of a page.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Elements that React writes without a closing tag. */
const VOID = words('area br col hr img input source wbr');
/** Elements whose content a browser may read as text: no tag may be inside. */
const TEXT_ONLY = words('textarea title option');
const SVG = words(
  'svg g path circle ellipse rect line polyline polygon text tspan defs lineargradient radialgradient stop clippath mask pattern symbol use title desc',
);
const HTML = words(`
  a abbr address article aside b bdi bdo blockquote button caption cite code colgroup data datalist dd del details dfn
  dialog div dl dt em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup i ins kbd label legend li
  main map mark menu meter nav noscript ol optgroup option output p picture pre progress q rp rt ruby s samp search
  section select slot small span strong sub summary sup table tbody td template textarea tfoot th thead time tr u ul
  var`);

const URL_ATTRIBUTES = words('href src action formaction poster cite xlink:href');
const FORM_ATTRIBUTES = words('action formaction');
const REFUSED_ATTRIBUTES = words('srcdoc ping manifest background http-equiv nonce is');
/** They act on the elements with these ids: a control joins that form, a click opens that dialog. */
const REFERENCES = words('form for popovertarget commandfor interestfor aria-owns');
/** Their names become properties of `document`, before its own. */
const NAMED = words('form img');
/** A path, query or fragment of any host by http(s), or a link that opens a mail or phone app. */
const SAFE_URL =
  /^(?:$|[/#?]|https?:\/\/|mailto:|tel:|sms:|data:image\/(?:png|jpeg|gif|webp|avif);|[\w%.~-]+(?:[/?#]|$))/i;
const SAME_ORIGIN = /^(?:$|[#?]|\/(?![/\\]))/;
/** In an inline style: what loads something, covers the page, or hides it from this check. */
const UNSAFE_STYLE = /url\(|image-set\(|@|\\|expression|\/\*|position:\s*fixed/i;
/** React writes no other character references. */
const OTHER_REFERENCE = /&(?!amp;|quot;|#x27;|lt;|gt;)/;

/** Far below the 512 levels at which browsers flatten the tree. */
const MAX_DEPTH = 200;
const MAX_FOUND = 120;

const TAG = /^<(?:([a-zA-Z][a-zA-Z0-9]*)((?: [^\s"'<>/=]+="[^"<>]*")*)(\/?)>|!--[^<>-]{0,20}-->)$/;
/** Attributes that are looked at; most elements have none of them, which saves two thirds of the time. */
const CHECKED =
  / (?:on|id=|href=|src|xlink|form|action=|for=|popovertarget=|commandfor=|interestfor=|aria-owns=|cite=|poster=|style=|ping=|manifest=|background=|http|nonce=|is=)/i;
const ATTRIBUTE = / ([^\s"'<>/=]+)="([^"<>]*)"/g;

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

function checkUrl(name: string, value: string): void {
  if (OTHER_REFERENCE.test(value) || !SAFE_URL.test(value)) throw new Refused('URL', `${name}="${value}"`);
  if (FORM_ATTRIBUTES.has(name) && !SAME_ORIGIN.test(value)) throw new Refused('URL', `${name}="${value}"`);
}

function checkAttributes(text: string, owner: FragmentOwner, ids: Set<string>): void {
  for (const [, given = '', value = ''] of text.matchAll(ATTRIBUTE)) {
    const name = given.toLowerCase();
    if (name === 'class') continue;
    if (name.startsWith('on') || REFUSED_ATTRIBUTES.has(name)) throw new Refused('ATTRIBUTE', name);
    if (name === 'id') {
      if (!ownsId(owner, value) || ids.has(value)) throw new Refused('ID', value);
      ids.add(value);
    } else if (REFERENCES.has(name)) {
      const foreign = value.split(/\s+/).find((id) => id !== '' && !ownsId(owner, id));
      if (foreign !== undefined) throw new Refused('ID', `${name}="${foreign}"`);
    } else if (URL_ATTRIBUTES.has(name)) checkUrl(name, value);
    else if (name === 'srcset' || name === 'srcSet') {
      if (/javascript:|data:/i.test(value) || OTHER_REFERENCE.test(value)) throw new Refused('URL', name);
    } else if (name === 'style' && UNSAFE_STYLE.test(value))
      throw new Refused('ATTRIBUTE', `style="${value}"`);
  }
}

/** A start tag, whatever surrounds it. */
interface StartTag {
  readonly name: string;
  readonly attributes: string;
  /** It ends with a slash. */
  readonly isClosed: boolean;
  readonly isVoid: boolean;
  readonly isHtml: boolean;
  readonly isSvg: boolean;
  /** It has attributes that are looked at. */
  readonly isChecked: boolean;
}

/** Undefined for a comment. Throws when the text is neither. */
function parseStartTag(text: string): StartTag | undefined {
  const match = TAG.exec(text);
  if (!match) throw new Refused('SYNTAX', text);
  const [, given, attributes = '', slash] = match;
  if (given === undefined) return undefined;
  const name = given.toLowerCase();
  if (NAMED.has(name) && / name=/i.test(attributes)) throw new Refused('ATTRIBUTE', `name of <${given}>`);
  const isPreload = given === 'link' && PICTURE_PRELOAD.test(attributes);
  return {
    name,
    attributes,
    isClosed: slash === '/',
    isVoid: VOID.has(name) || isPreload,
    isHtml: HTML.has(name) || VOID.has(name) || isPreload,
    isSvg: SVG.has(name),
    isChecked: CHECKED.test(attributes),
  };
}

/** Open elements, innermost last. */
class Elements {
  readonly #open: StartTag[] = [];

  start(tag: StartTag): void {
    const { name } = tag;
    const parent = this.#open.at(-1);
    if (parent !== undefined && TEXT_ONLY.has(parent.name))
      throw new Refused('ELEMENT', `${name} in ${parent.name}`);
    const isSvg = tag.isSvg && (name === 'svg' || parent?.isSvg === true);
    if (!isSvg && !tag.isHtml) throw new Refused('ELEMENT', name);
    if (tag.isVoid) return;
    // A browser ignores the slash of any other HTML element and keeps the element open.
    if (tag.isClosed) throw new Refused('BALANCE', `<${name}/>`);
    if (this.#open.push(tag) > MAX_DEPTH) throw new Refused('BALANCE', `more than ${MAX_DEPTH} levels`);
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

function checkTags(html: string, owner: FragmentOwner): void {
  const elements = new Elements();
  const ids = new Set<string>();
  // Most start tags of a page occur more than once: reading each text once saves half of the time.
  const parsed = new Map<string, StartTag | undefined>();
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    const end = html.indexOf('>', at);
    if (html.startsWith('</', at)) {
      elements.end(html.slice(at + 2, end < 0 ? undefined : end));
      continue;
    }
    // No tag that React writes has a `>` inside.
    const text = html.slice(at, end < 0 ? undefined : end + 1);
    let tag = parsed.get(text);
    if (!tag) {
      if (parsed.has(text)) continue;
      tag = parseStartTag(text);
      parsed.set(text, tag);
      if (!tag) continue;
    }
    elements.start(tag);
    if (tag.isChecked) checkAttributes(tag.attributes, owner, ids);
  }
  elements.finish();
}

/**
 * The first violation in a slot's HTML, or in its bytes in UTF-8; undefined if it may be sent. Of bytes each is read as one
 * character: tags, names and quotes are ASCII, whose bytes are no part of another character.
 */
export function checkFragment(html: string | Buffer, owner: FragmentOwner): Violation | undefined {
  const isText = typeof html === 'string';
  if (!isText && !isUtf8(html)) return { rule: 'SYNTAX', found: 'bytes that are not UTF-8' };
  try {
    checkTags(isText ? html : html.toString('latin1'), owner);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { rule, message } = error;
    return { rule, found: isText ? message : Buffer.from(message, 'latin1').toString('utf8') };
  }
}

/** Throws RenderFailure BAD_HTML for a slot's HTML that may not be sent. */
export function assertFragment(rendered: Pick<RenderedSlot, 'html' | 'bytes'>, owner: FragmentOwner): void {
  const violation = checkFragment(rendered.bytes ?? rendered.html, owner);
  if (violation) throw new RenderFailure('BAD_HTML', `${violation.rule}: ${violation.found}`);
}
