import {
  ATTRIBUTES,
  HTML_ELEMENTS,
  SHELL_DATA,
  SVG_ELEMENTS,
  VOID_ELEMENTS,
  WITHOUT_NAME,
  type CheckedKind,
} from './slotHtml.data.ts';
import { Refused } from './refused.ts';

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

const COMMENT = /^<!--[^<>-]{0,20}-->$/;
const ELEMENT_NAME = /[a-zA-Z][a-zA-Z0-9]*/y;
const ATTRIBUTE_NAME = /^[^\s"'<>/=\0]+$/;

/** React writes these for pictures of high priority. */
const PICTURE_PRELOAD =
  /^ rel="preload" as="image"(?: (?:href|imageSrcSet|imageSizes|fetchPriority|crossOrigin|referrerPolicy)="[^"]*")*$/;

/** A start tag, whatever surrounds it. */
export interface StartTag {
  readonly name: string;
  /** Attributes whose values depend on the slot. */
  readonly checked: readonly {
    readonly name: string;
    readonly kind: CheckedKind;
    readonly value: string;
  }[];
  readonly attributes: number;
  /** A radio button, which a browser groups by its name with those of the same form, or with all that have none. */
  readonly isRadio: boolean;
  readonly id: string | undefined;
  /** It ends with a slash. */
  readonly isClosed: boolean;
  readonly isVoid: boolean;
  readonly isHtml: boolean;
  readonly isSvg: boolean;
}

/** Undefined for an attribute that any slot may have with any value. */
function kindOf(element: string, name: string): CheckedKind | undefined {
  if (element === 'use' && name === 'href') return 'fragment';
  const kind = ATTRIBUTES.get(name);
  if (kind === undefined && (!name.startsWith('data-') || SHELL_DATA.has(name)))
    throw new Refused('ATTRIBUTE', `${name} of <${element}>`);
  if (name === 'name' && WITHOUT_NAME.has(element)) throw new Refused('ATTRIBUTE', `name of <${element}>`);
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
  let isRadio = false;
  for (let at = from; at < to;) {
    const equals = text.indexOf('="', at);
    const end = equals < 0 ? -1 : text.indexOf('"', equals + 2);
    if (text[at] !== ' ' || end < 0 || end >= to) throw new Refused('SYNTAX', text);
    const given = text.slice(at + 1, equals);
    const isListed = ATTRIBUTES.has(given);
    const name = isListed ? given : given.toLowerCase();
    if (!isListed && !ATTRIBUTES.has(name) && !ATTRIBUTE_NAME.test(name)) throw new Refused('SYNTAX', text);
    // A browser ignores the second.
    if (names.includes(name)) throw new Refused('ATTRIBUTE', `${name} twice`);
    names.push(name);
    const kind = kindOf(element, name);
    if (name === 'type' && element === 'input')
      isRadio = decode(text.slice(equals + 2, end)).toLowerCase() === 'radio';
    if (kind !== undefined) checked.push({ name, kind, value: decode(text.slice(equals + 2, end)) });
    at = end + 1;
  }
  // The id may be that of no form.
  if (isRadio && names.includes('form')) throw new Refused('ATTRIBUTE', 'form of a radio button');
  return { checked, attributes: names.length, isRadio };
}

/** Undefined for a comment. Throws when the text is neither. */
export function parseStartTag(text: string): StartTag | undefined {
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
  const { checked, attributes, isRadio } = parseAttributes(text, from, to, element);
  const id = checked.find(({ kind }) => kind === 'id')?.value;
  return { name: element, checked, attributes, isRadio, id, isClosed, isVoid, isHtml, isSvg };
}
