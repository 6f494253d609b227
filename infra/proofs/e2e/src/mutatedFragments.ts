import fc from 'fast-check';

// HTML of slots as a hostile release might write it: pieces of the real slots' HTML with changes. `~slot~` stands for the
// slot's name, `~other~` for that of a neighbor.

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const TAG = /<(\/?)([a-zA-Z][\w:-]*)[^>]*>/g;
/** Characters of a piece. */
const SHORTEST = 40;
const LONGEST = 1500;
const REFERENCES =
  /(?<= )(id|for|form|list|headers|aria-(?:owns|labelledby|describedby|controls|activedescendant|details))="([^"]*)"/g;

const OWN_REFERENCE = (_: string, name: string, ids: string) =>
  `${name}="${ids
    .split(/\s+/)
    .filter(Boolean)
    .map((id) => `~slot~-${id.replaceAll(/\W/g, '')}`)
    .join(' ')}"`;

/** Elements of a slot's HTML that are neither tiny nor large, each shape once, with the slot's ids. */
export function piecesOf(html: string): string[] {
  const shapes = new Map<string, string>();
  const open: { readonly name: string; readonly start: number }[] = [];
  for (const match of html.matchAll(TAG)) {
    const [tag, slash = '', name = ''] = match;
    if (!slash) {
      if (!VOID.has(name.toLowerCase()) && !tag.endsWith('/>')) open.push({ name, start: match.index });
      continue;
    }
    const last = open.pop();
    const piece = html.slice(last?.start ?? 0, match.index + tag.length);
    if (last?.name !== name || piece.length < SHORTEST || piece.length > LONGEST) continue;
    const shape = piece.replaceAll(/>[^<]*</g, '><').replaceAll(/"[^"]*"/g, '');
    if (!shapes.has(shape)) shapes.set(shape, piece.replaceAll(REFERENCES, OWN_REFERENCE));
  }
  return [...shapes.values()];
}

const LENGTHS = [
  '0',
  '1px',
  '9999px',
  '-900px',
  '1e9px',
  '50%',
  '-100%',
  '-101%',
  '200%',
  '201%',
  '9999%',
  '99999vw',
  '-50vh',
  '99em',
  'calc(100% + 900px)',
  'calc(-1 * 900px)',
  'clamp(1px,9999px,9e9px)',
  'max(9999px,100%)',
  'min(9999px,500vw)',
  'max-content',
  'var(--x)',
  'auto',
];
const KEYWORDS = [
  'none',
  'fixed',
  'absolute',
  'sticky',
  'visible',
  'contents',
  'all',
  'red',
  'rgb(255 0 0)',
  'inherit',
  'unset',
  'revert-layer',
  'normal',
];
const EFFECTS = [
  '0 0 0 900px red',
  '900px solid red',
  'translate(-300px,-300px) scale(9)',
  'rotate(45deg)',
  'blur(90px)',
  'drop-shadow(200px 200px 0 red)',
  'inset(-900px)',
  'url(/x.svg)',
  'url(//evil.example/x)',
  'circle(900px)',
  '-900px',
  '2147483647',
];
const SIZES =
  'width height inline-size block-size min-width min-height max-width max-block-size flex-basis order aspect-ratio grid-row'.split(
    ' ',
  );
const PLACES = 'left top right bottom inset inset-inline-start inset-block-end'.split(' ');
const OTHERS =
  `position margin margin-top margin-inline-start padding z-index transform translate scale rotate zoom outline
  outline-offset box-shadow text-shadow filter backdrop-filter overflow overflow-clip-margin contain content-visibility display
  float color background-color border-color border border-image background clip-path mask text-indent letter-spacing font-size line-height
  white-space writing-mode direction columns transform-origin perspective offset-path will-change animation transition
  anchor-name position-anchor position-area top-layer overlay interactivity --x --fc-accent all counter-increment counter-reset
  quotes content view-transition-name appearance cursor pointer-events user-select visibility opacity mix-blend-mode`.split(
    /\s+/,
  );

const value = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...LENGTHS) },
  fc.constantFrom(...KEYWORDS),
  fc.constantFrom(...EFFECTS),
);
const property = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...SIZES) },
  { weight: 4, arbitrary: fc.constantFrom(...PLACES) },
  fc.constantFrom(...OTHERS),
);
/** `name:value`, more often than not one that a slot may have. */
const inlineDeclaration = fc
  .tuple(property, value, fc.constantFrom(':', ':', ':', ':', ' :', ':\t', '&#58;', ':/**/'))
  .map(([name, text, colon]) => name + colon + text);
const inlineStyle = fc.array(inlineDeclaration, { minLength: 1, maxLength: 3 }).map((all) => all.join(';'));

/** What a style sheet may say of its own elements, and what it may not. */
export const declaration = fc
  .tuple(
    fc.oneof(fc.constantFrom(...SIZES), fc.constantFrom(...PLACES), {
      weight: 3,
      arbitrary: fc.constantFrom(...OTHERS),
    }),
    value,
  )
  .map((parts) => parts.join(':'));

const ids = fc.constantFrom(
  '~slot~-x',
  '~slot~-x',
  '~slot~-y ~slot~-x',
  '~other~-a',
  '~slot~-x ~other~-a',
  '~slot~-x\t~other~-list',
  '~slot~-x&#32;~other~-a',
  '~slot~-x&Tab;~other~-a',
  'slot-~other~',
  'main',
  '',
);
const anyOf = (...values: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...values);
const number = anyOf('0', '1', '-1', '9000', '-900', '900%', '1e6', '32767', ' 0', '0 ', '+1', '01');
const named = (names: string, values: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...names.split(/\s+/)), values).map(([name, text]) => ` ${name}="${text}"`);

/** Attributes that a slot may have, with values that it may or may not. */
const LISTED: readonly fc.Arbitrary<string>[] = [
  named('style', inlineStyle),
  named('style', inlineStyle),
  named('style STYLE', inlineStyle),
  named('id', ids),
  named(
    'aria-owns aria-labelledby aria-describedby aria-controls aria-activedescendant aria-flowto aria-details',
    ids,
  ),
  named('for form list headers', ids),
  named('tabindex', number),
  named(
    'role',
    anyOf(
      'dialog',
      'alertdialog',
      'alert',
      'main',
      'application',
      'none',
      'presentation',
      'list',
      'listitem',
      'radio',
      'radiogroup',
      'row',
      'tab',
      'menu',
      'banner',
      'document',
      'img',
    ),
  ),
  named('aria-hidden aria-live aria-busy aria-expanded aria-pressed', anyOf('true', 'false', 'assertive')),
  named('aria-setsize aria-posinset aria-level colspan rowspan size rows cols start value', number),
  named('dir', anyOf('rtl', 'auto')),
  named('hidden', anyOf('', 'until-found')),
  named('name', anyOf('~other~-choice', '~other~-part', 'body', 'x')),
  named('type', anyOf('radio', 'checkbox', 'image', 'hidden', 'range', 'submit', 'file')),
  named('checked disabled required open', anyOf('')),
  named('width height x y', number),
  named(
    'fill stroke mask clip-path filter',
    anyOf('red', 'url(#~slot~-x)', 'url(#~other~-a)', 'rgb(9 9 9)', 'url(/x)'),
  ),
  named('transform', anyOf('translate(-300,-300) scale(9)', 'rotate(45)', 'matrix(9 0 0 9 -300 -300)')),
  named('stroke-width font-size', number),
  named('class', anyOf('fc-slot', 'fc-main', 'fc-skip', 'x', 'fc-unseen')),
];
/** Attributes that no slot may have. */
const UNLISTED: readonly fc.Arbitrary<string>[] = [
  named(
    `autofocus AUTOFOCUS inert accesskey contenteditable popover popovertarget open command commandfor interestfor
     focusgroup aria-modal overflow slot part is anchor usemap itemref shadowrootmode data-slot data-empty background
     align onclick onfocus srcdoc ping nonce`,
    anyOf('', 'true', 'auto', 'visible', 's', '~other~-a', 'show-modal', 'open'),
  ),
];
const attribute = fc.oneof(
  ...LISTED.map((arbitrary) => ({ weight: 5, arbitrary })),
  ...UNLISTED.map((arbitrary) => ({ weight: 4, arbitrary })),
);

/** Markup to add inside of an element. */
const SNIPPETS: readonly string[] = [
  '<svg viewBox="0 0 10 10" width="900" height="900"><path d="M-99 -99h900v900z" fill="red"></path></svg>',
  '<svg viewBox="0 0 10 10" transform="translate(-300,-300) scale(9)"><rect width="99" height="99"></rect></svg>',
  '<svg viewBox="0 0 10 10"><text x="-300" y="-300" font-size="900">X</text></svg>',
  '<svg viewBox="0 0 10 10"><path id="~slot~-x" d="M-99 0h900" stroke="red" stroke-width="900"></path><use href="#~slot~-x" x="-99"></use></svg>',
  '<svg overflow="visible"></svg>',
  '<svg><foreignObject></foreignObject></svg>',
  '<table><tbody><tr><td style="width:9999px;background-color:red">x</td></tr></tbody></table>',
  '<table><caption>x</caption><thead><tr><th scope="col">x</th></tr></thead></table>',
  '<table><tr><td>x</td></tr></table>',
  '<dialog><p>x</p></dialog>',
  '<dialog open=""><p>x</p></dialog>',
  '<details open="" name="~other~-part"><summary>x</summary>x</details>',
  '<details open=""><summary>x</summary>x</details>',
  '<input type="radio" name="~other~-choice" checked=""/>',
  '<form><input type="radio" name="~other~-choice" checked=""/></form>',
  '<input autofocus=""/>',
  '<input form="~other~-form" name="x"/>',
  '<label for="~other~-a">x</label>',
  '<label>x <input type="checkbox"/></label>',
  '<button type="button">x</button>',
  '<button popovertarget="~slot~-x">x</button>',
  '<button command="show-modal" commandfor="~slot~-x">x</button>',
  '<div id="~slot~-x" popover="">x</div>',
  '<div tabindex="0">x</div>',
  '<div tabindex="5">x</div>',
  '<div role="dialog" aria-label="x">x</div>',
  '<div aria-owns="~slot~-x">x</div>',
  '<div aria-owns="~other~-a">x</div>',
  '<img src="/x.svg" width="3000" height="3000" alt="x"/>',
  '<img src="https://evil.example/x.svg" alt=""/>',
  '<textarea rows="90" cols="300">x</textarea>',
  '<select size="40"><option>x</option></select>',
  '<p style="left:-100%;top:200%;width:9999px;height:9999px;background-color:red">x</p>',
  '<span style="display:inline-block;width:9999px">x</span>',
  '<q>x</q>',
  '<q>',
  '<ol start="99"><li>x</li></ol>',
  '<ul><li>x</li></ul>',
  '<pre>xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx</pre>',
  '<h2 tabindex="-1">x</h2>',
  '<p>x</p>',
  '<p><div>x</div></p>',
  '<b><i>x</b></i>',
  '<a href="#main">x</a>',
  '<a href="/x" target="_blank">x</a>',
  '<noscript><p>x</p></noscript>',
  '<meter value="1"></meter>',
  '<ruby>x<rt>x</rt></ruby>',
  '<fieldset><legend>x</legend></fieldset>',
  '<!-- -->',
  '<!--',
  '</div>',
  '</div><div>',
  '<marquee>x</marquee>',
  '<template shadowrootmode="open"><slot></slot></template>',
  '<style>*{position:fixed}</style>',
  '<iframe></iframe>',
  '<math><mi>x</mi></math>',
  '<base target="_blank"/>',
  '‮x',
];

/** Around an element. */
const WRAPPERS: readonly (readonly [string, string])[] = [
  ['<div>', '</div>'],
  ['<section aria-label="x">', '</section>'],
  ['<span>', '</span>'],
  ['<b>', '</b>'],
  ['<p>', '</p>'],
  ['<ul><li>', '</li></ul>'],
  ['<form>', '</form>'],
  ['<button type="button">', '</button>'],
  ['<label>', '</label>'],
  ['<dialog>', '</dialog>'],
  ['<details open=""><summary>x</summary>', '</details>'],
  ['<table><tbody><tr><td>', '</td></tr></tbody></table>'],
  ['<table>', '</table>'],
  ['<fieldset disabled="">', '</fieldset>'],
  ['<a href="/x">', '</a>'],
  ['<svg>', '</svg>'],
  ['<div id="~slot~-x" style="width:9999px;height:9999px">', '</div>'],
  ['<div style="left:-100%;width:500%">', '</div>'],
  ['<bdo dir="rtl">', '</bdo>'],
  ['<div>'.repeat(40), '</div>'.repeat(40)],
];

type Mutation = (html: string) => string;

/** Rewrites the start tag at `index`, counted round. */
function atTag(html: string, index: number, rewrite: (tag: string) => string): string {
  const starts = [...html.matchAll(TAG)].filter(([, slash]) => slash === '');
  const chosen = starts[index % Math.max(starts.length, 1)];
  if (!chosen) return html;
  const end = chosen.index + chosen[0].length;
  return html.slice(0, chosen.index) + rewrite(chosen[0]) + html.slice(end);
}

const index = fc.nat({ max: 40 });
const addsAttribute = fc.tuple(index, attribute).map(([at, added]): Mutation => {
  const name = /^ ([^=]+)=/.exec(added)?.[1] ?? '';
  const same = new RegExp(` ${name}="[^"]*"`, 'i');
  // A class is added to those that the element has.
  const isClass = name === 'class';
  return (html) =>
    atTag(html, at, (tag) =>
      isClass && same.test(tag)
        ? tag.replace(/ class="/, ` class="${/"(.*)"/.exec(added)?.[1] ?? ''} `)
        : tag.replace(same, '').replace(/\/?>$/, (end) => added + end),
    );
});
const insertsSnippet = fc.tuple(index, fc.constantFrom(...SNIPPETS)).map(
  ([at, snippet]): Mutation =>
    (html) =>
      atTag(html, at, (tag) => tag + snippet),
);
const wraps = fc.constantFrom(...WRAPPERS).map(
  ([before, after]): Mutation =>
    (html) =>
      before + html + after,
);
/** Writes a character of an attribute's value as a reference. */
const encodes = fc
  .tuple(index, fc.nat({ max: 60 }), fc.constantFrom('&#CODE;', '&#0CODE', '&#CODE;', '&#xHEX;'))
  .map(
    ([at, place, form]): Mutation =>
      (html) =>
        atTag(html, at, (tag) => {
          const values = [...tag.matchAll(/="[^"]+"/g)];
          const chosen = values[place % Math.max(values.length, 1)];
          if (!chosen) return tag;
          const position = chosen.index + 2 + (place % (chosen[0].length - 3));
          const code = tag.charCodeAt(position);
          const reference = form.replace('CODE', `${code}`).replace('HEX', code.toString(16));
          return tag.slice(0, position) + reference + tag.slice(position + 1);
        }),
  );
const repeats = fc.constant<Mutation>((html) => html + html.replaceAll(/ (?:id|name)="[^"]*"/g, ''));

const mutation = fc.oneof(
  { weight: 12, arbitrary: addsAttribute },
  { weight: 6, arbitrary: insertsSnippet },
  { weight: 3, arbitrary: wraps },
  { weight: 1, arbitrary: encodes },
  { weight: 1, arbitrary: repeats },
);

/** Pieces of real HTML with up to three changes. */
export const mutatedFragments = (pieces: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...pieces), fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([piece, mutations]) => mutations.reduce((html, mutate) => mutate(html), piece));
