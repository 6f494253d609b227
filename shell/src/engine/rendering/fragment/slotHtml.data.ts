/**
 * What a slot's HTML may consist of. Everything that is not listed is refused: a new attribute or element of browsers
 * has to be considered before slots may use it. `fragmentCheck.ts` judges by it.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Elements that React writes without a closing tag. */
export const VOID_ELEMENTS = words('br col hr img input source wbr');

/** Elements whose content a browser may read as text: no tag may be inside. */
export const TEXT_ONLY_ELEMENTS = words('textarea title desc option');

export const HTML_ELEMENTS = words(`
  a abbr address article aside b bdi bdo blockquote button caption cite code colgroup data datalist dd del details dfn
  dialog div dl dt em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup i ins kbd label legend li
  main mark menu meter nav noscript ol optgroup option output p picture pre progress q rp rt ruby s samp search
  section select small span strong sub summary sup table tbody td textarea tfoot th thead time tr u ul var`);

export const SVG_ELEMENTS = words(`
  svg g path circle ellipse rect line polyline polygon text tspan defs lineargradient radialgradient stop clippath mask
  pattern symbol use title desc`);

/**
 * Where an HTML parser expects these elements. Elsewhere it ignores, moves or closes something, and the page would have
 * another tree than the tags say.
 */
export const PARENTS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['li', words('ul ol menu')],
  ['dt', words('dl dl>div')],
  ['dd', words('dl dl>div')],
  ['option', words('select optgroup datalist')],
  ['optgroup', words('select')],
  ['rt', words('ruby')],
  ['rp', words('ruby')],
  ['caption', words('table')],
  ['colgroup', words('table')],
  ['thead', words('table')],
  ['tbody', words('table')],
  ['tfoot', words('table')],
  ['col', words('colgroup')],
  ['tr', words('thead tbody tfoot')],
  ['th', words('tr')],
  ['td', words('tr')],
]);

/** Elements with no other children than these; a parser moves or drops others. */
export const CHILDREN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['select', words('option optgroup')],
  ['optgroup', words('option')],
  ['datalist', words('option')],
  ['table', words('caption colgroup thead tbody tfoot')],
  ['colgroup', words('col')],
  ['thead', words('tr')],
  ['tbody', words('tr')],
  ['tfoot', words('tr')],
  ['tr', words('th td')],
]);

/** Elements with no text but white space; a parser moves it before the table. */
export const WITHOUT_TEXT = words('table colgroup thead tbody tfoot tr');

/** A parser closes an open `p` before these. */
export const CLOSES_P = words(`
  address article aside blockquote details dialog div dl dd dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6
  header hgroup hr li main menu nav ol p pre search section summary table ul`);

/** A `p` outside of these is not closed by what is inside. */
export const KEEPS_P_OPEN = words('button caption table td th');

/** Elements that a parser does not nest, whatever is between. */
export const NOT_NESTED: ReadonlyMap<string, string> = new Map([
  ['a', 'a'],
  ['button', 'button'],
  ['form', 'form'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name): [string, string] => [name, 'heading']),
]);

export type AttributeKind =
  /** Any value. */
  | 'any'
  /** One id of the slot itself. */
  | 'id'
  /** Ids of the slot itself, separated by white space. */
  | 'ids'
  /** A link or a picture. */
  | 'url'
  /** Where a form is sent: a path of this origin. */
  | 'formUrl'
  /** `#id` of the slot itself. */
  | 'fragment'
  | 'pictures'
  | 'classes'
  | 'style'
  | 'tabIndex'
  | 'target'
  /** An SVG paint or reference: `url()` only of the slot's own ids. */
  | 'paint';

/** A kind whose values are looked at. */
export type CheckedKind = Exclude<AttributeKind, 'any'>;

const kinds = (kind: AttributeKind, names: string): [string, AttributeKind][] =>
  [...words(names)].map((name) => [name, kind]);

/**
 * Attribute in lower case to the kind of its value. Not listed, for example: what takes the focus (`autofocus`,
 * `accesskey`, `contenteditable`), what opens the top layer (`popover`, `command`), what hides the rest of the page from
 * assistive technology (`aria-modal`) or disables it (`inert`), event handlers, and what loads by itself.
 */
export const ATTRIBUTES: ReadonlyMap<string, AttributeKind> = new Map([
  ...kinds('classes', 'class'),
  ...kinds('id', 'id'),
  ...kinds('style', 'style'),
  ...kinds('tabIndex', 'tabindex'),
  ...kinds('target', 'target'),
  ...kinds('url', 'href src cite poster'),
  ...kinds('formUrl', 'action formaction'),
  ...kinds('pictures', 'srcset imagesrcset'),
  ...kinds('fragment', 'xlink:href'),
  ...kinds(
    'ids',
    `form for headers list aria-activedescendant aria-controls aria-describedby aria-details aria-errormessage
     aria-flowto aria-labelledby aria-owns`,
  ),
  ...kinds('paint', 'fill stroke clip-path mask marker-start marker-mid marker-end filter'),
  ...kinds(
    'any',
    `title lang dir hidden role translate itemscope itemprop itemtype itemid
     rel download hreflang type
     alt width height loading decoding fetchpriority sizes imagesizes media crossorigin referrerpolicy as
     method enctype novalidate accept-charset autocomplete formmethod formnovalidate formenctype name value placeholder
     required disabled checked selected readonly multiple min max low high optimum step pattern minlength maxlength size
     rows cols wrap inputmode enterkeyhint autocapitalize autocorrect spellcheck accept capture label dirname
     open start reversed datetime colspan rowspan scope abbr span
     aria-atomic aria-autocomplete aria-braillelabel aria-brailleroledescription aria-busy aria-checked aria-colcount
     aria-colindex aria-colindextext aria-colspan aria-current aria-description aria-disabled aria-expanded
     aria-haspopup aria-hidden aria-invalid aria-keyshortcuts aria-label aria-level aria-live aria-multiline
     aria-multiselectable aria-orientation aria-placeholder aria-posinset aria-pressed aria-readonly aria-relevant
     aria-required aria-roledescription aria-rowcount aria-rowindex aria-rowindextext aria-rowspan aria-selected
     aria-setsize aria-sort aria-valuemax aria-valuemin aria-valuenow aria-valuetext
     viewbox preserveaspectratio focusable d x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy points rotate transform
     pathlength offset gradientunits gradienttransform patternunits patterncontentunits patterntransform
     maskunits maskcontentunits clippathunits textlength lengthadjust fill-opacity fill-rule stroke-width
     stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset stroke-opacity opacity
     clip-rule stop-color stop-opacity color vector-effect shape-rendering text-rendering text-anchor
     dominant-baseline alignment-baseline baseline-shift font-family font-size font-style font-weight letter-spacing
     word-spacing text-decoration xmlns xmlns:xlink version`,
  ),
]);

/** `data-` attributes of the shell's own elements, by which its scripts find them. */
export const SHELL_DATA = words('data-slot data-empty');

/** Their `name` becomes a property of `document`, before its own, or closes others of the same name. */
export const WITHOUT_NAME = words('form img details');

/**
 * Properties of an inline style: sizes and colors, and places in percent of a box of the slot. What else a slot looks like is in
 * its style sheets, which the release gate checks. Its own custom properties may have any of the values below; `--fc-`
 * are the shell's.
 */
export const STYLE_SIZES = words(`
  width height inline-size block-size min-width min-height min-inline-size min-block-size max-width max-height
  max-inline-size max-block-size aspect-ratio flex-basis flex-grow order grid-row grid-column`);
export const STYLE_COLORS = words('color background-color border-color');
export const STYLE_PLACES = words('left top right bottom inset-inline-start inset-inline-end');

/**
 * About four times what the largest real slot has, 100 results on one page: 3,825 elements, 7,287 attributes, 108 ids,
 * 12 levels, 238 kB.
 */
export const MAX_ELEMENTS = 16_000;
export const MAX_ATTRIBUTES = 32_000;
export const MAX_IDS = 500;
export const MAX_LEVELS = 64;
export const MAX_HTML_BYTES = 1024 * 1024;
