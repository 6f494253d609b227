import { describe, expect, it } from '@jest/globals';
import { findForeignStyles } from './foreignStyles.ts';
import { classTag } from './ownNames.ts';

const REMOTE = 'mfe-tiny';
const files = new Set(['picture.svg', '../pictures/a.svg']);
const owner = { remote: REMOTE, hasFile: (url: string) => files.has(url) };
/** `$own` stands for a class that the build wrote for the remote, `$other` for one of another remote. */
const sheet = (css: string): string =>
  css
    .replaceAll(/\$own(\d?)/g, (_, index: string) => `a${index}Xyz${classTag(REMOTE)}`)
    .replaceAll('$other', `aXyz${classTag('mfe-other')}`)
    .replaceAll('$shell', `aXyz${classTag('@forecourt/shell')}`)
    .replaceAll('$TAG', classTag(REMOTE));
const find = (css: string) => findForeignStyles(sheet(css), owner);

/** What CSS modules and Lightning CSS write. */
const OWN = [
  '',
  '/* nothing */',
  '.$own{color:red}',
  '.$own,.$own1 a{color:red}',
  '.$own>*{margin:0}',
  '.$own *{margin:0}',
  '.$own+*{margin:0}',
  '.$own~.x{margin:0}',
  'a.$own{color:red}',
  'button.$own:hover:not(:disabled)::before{content:"→"}',
  '.$own>:not(img,.$own1){padding:0}',
  '.$own h3 a:after{content:"";position:absolute;inset:0}',
  '.$own::-webkit-details-marker{display:none}',
  '.$own::backdrop{background:#0008}',
  '.$own[data-open="true"] svg{rotate:1turn}',
  '.$own [data-slot=other]{color:red}',
  ':root:not(:has([id="a-container"])) .$own{display:none}',
  ':root[data-arriving] .$own:last-child>.$own1>:nth-last-child(-n+2){visibility:hidden}',
  '.$own:nth-child(2n + 1 of .$own1){color:red}',
  '.$own:has(>img:only-child) p{color:red}',
  '.$own:is(:hover,:focus-visible){color:red}',
  ':is(.$own,.$own1)>a{color:red}',
  ':where(.$own) p{color:red}',
  ':is(.$own .x,a.$own1){color:red}',
  '.fc-main .$own{color:red}',
  'body .$own{color:red}',
  'dialog:modal .$own{color:red}',
  '@media (width<=600px){.$own{color:red}}',
  '@media (prefers-color-scheme:dark) and (min-width:10px){@supports (display:grid){.$own{color:red}}}',
  '@container panel (width>=400px){.$own{color:red}}',
  '@supports (animation-timeline:view()){.$own{animation:reveal-Xyz$TAG both}}',
  '@keyframes reveal-Xyz$TAG{from{opacity:0}40.5%{opacity:.5}to{opacity:1}}',
  '@keyframes reveal-Xyz$TAG{0%,to{opacity:0}entry 100%{opacity:1}}',
  '@keyframes mfe-tiny_turn{to{rotate:1turn}}',
  '@property --mfe-tiny_angle{syntax:"<angle>";inherits:false;initial-value:0deg}',
  '@counter-style mfe-tiny_dots{system:cyclic;symbols:"•"}',
  '@layer mfe-tiny_base{.$own{color:red}}',
  '@layer mfe-tiny_base,mfe-tiny_top.part;',
  '@layer{.$own{color:red}}',
  '@starting-style{.$own{opacity:0}}',
  '.$own{color:red;&:hover{color:blue}& p{margin:0}>p{margin:0}+p{margin:0}}',
  '.$own{p{margin:0}a:hover{color:red}.x &{color:red}@media (width>1px){color:blue;b{color:red}}}',
  '.$own{@starting-style{opacity:0}@container (width>1px){&{color:red}}}',
  '.$own{--size:2px;--shape:{a:b};width:calc(1px*var(--size) + var(--fc-space-1))}',
  '.$own{background:url(picture.svg)}',
  '.$own{background:url("../pictures/a.svg") no-repeat,linear-gradient(red,blue)}',
  '.$own{background:url(data:image/svg+xml;base64,AAAA)}',
  '.$own{background:url("data:image/svg+xml,%3Csvg/%3E")}',
  '.$own:before{content:"\\201C"}',
  '.$own{position:fixed;inset:0;z-index:9;contain:none}',
  '.$own{color:red!important}',
  '.title-Xyz$TAG{color:red}',
];

/** Style sheets that reach further, and what of them is named. */
const FOREIGN: readonly (readonly [what: string, css: string, found: string])[] = [
  ['every child of the page', 'body>*{position:fixed;inset:0}', 'body>*'],
  [
    'the slots of others',
    '.fc-slot:not([data-slot=tiny]){display:none!important}',
    '.fc-slot:not([data-slot=tiny])',
  ],
  ['every element', '*{margin:0}', '*'],
  ['an element', 'a{color:red}', 'a'],
  ['the root', ':root{font-size:99px}', ':root'],
  ['a part of the root in a media query', '@media print{html{display:none}}', 'html'],
  ['a slot by its attribute', '[data-slot=other]{display:none}', '[data-slot=other]'],
  ['its own slot’s box', '[data-slot=tiny]{position:fixed}', '[data-slot=tiny]'],
  ['an id', '#slot-other{display:none}', '#slot-other'],
  ['a class of another remote', '.$other{display:none}', '$other'],
  ['a class of the shell', '.$shell{display:none}', '$shell'],
  ['a class that a person wrote', '.card{display:none}', '.card'],
  ['a class of the frame, with the remote’s tag', '.fc-$TAG{display:none}', '.fc-$TAG'],
  ['a tag alone', '.$TAG{display:none}', '.$TAG'],
  ['one foreign selector of a list', '.$own,body{color:red}', '.$own,body'],
  ['the page around an own element', 'body:has(.$own){display:none}', 'body:has(.$own)'],
  ['every element with an own one inside', ':has(.$own){display:none}', ':has(.$own)'],
  ['the sibling before an own element', '*:has(+.$own){display:none}', '*:has(+.$own)'],
  ['all but own elements', ':not(.$own){display:none}', ':not(.$own)'],
  ['all below what is not own', ':not(.$own) p{display:none}', ':not(.$own) p'],
  ['a list in :is() with a foreign branch', ':is(.$own,body){display:none}', ':is(.$own,body)'],
  ['body in :is()', ':is(body){display:none}', ':is(body)'],
  [
    'a branch that is hidden in two',
    ':where(.$own,:is(.$own,html)) {display:none}',
    ':where(.$own,:is(.$own,html))',
  ],
  ['an own class as a condition of a place', ':nth-child(1 of .$own){color:red}', ':nth-child(1 of .$own)'],
  ['an own class in an attribute', '[class~=$own]{color:red}', '[class~=$own]'],
  ['an own class in a string', '[title=".$own"]{color:red}', '[title=".$own"]'],
  ['an own class in a comment', 'body/* .$own */{color:red}', 'body'],
  ['a class with an escape', '.\\66 c-slot{display:none}', 'the escape in'],
  ['an own class with an escape', '.$own\\2c body{display:none}', 'the escape in'],
  ['an element with an escape', 'b\\6f dy{display:none}', 'the escape in'],
  ['an at-rule with an escape', '@\\69mport "x.css";', 'the escape in'],
  ['a URL with an escape', '.$own{background:\\75rl(//evil.example)}', 'the escape in'],
  ['a letter that only looks like the remote’s', '.аXyz{color:red}', '.аXyz'],
  ['& without a parent', '&{color:red}', '&'],
  ['& without a parent, as the scope', '& .x{color:red}', '& .x'],
  ['what & is not', '.$own{body:not(&){color:red}}', 'body:not(&)'],
  ['what & is inside of', '.$own{body:has(&){color:red}}', 'body:has(&)'],
  ['& in a foreign branch', '.$own{:is(&,body){color:red}}', ':is(&,body)'],
  ['a nested rule in a foreign one', 'main{.$own{color:red}p{color:red}}', 'main'],
  ['a nested rule that looks like a declaration', '.$own{body:not(&){color:red}}', 'body:not(&)'],
  ['a scope', '@scope (.$own){:scope{color:red}}', '@scope'],
  ['a scope of the page', '@scope{img{display:none}}', '@scope'],
  ['the order of layers of others', '@layer base,mfe-tiny_a;', 'base'],
  ['a layer of another', '@layer other{.$own{color:red}}', 'other'],
  ['a namespace', '@namespace svg url(http://www.w3.org/2000/svg);', '@namespace'],
  ['an element with a namespace', '*|body{color:red}', '*|body'],
  ['another sheet', '@import "https://evil.example/x.css";', '@import'],
  ['another sheet of its own', '@import url(picture.svg);', '@import'],
  ['the host of a shadow root', ':host{display:none}', ':host'],
  ['the host of an own element', '.$own:host(body){color:red}', ':host(body)'],
  ['the context of a host', ':host-context(body) .$own{color:red}', ':host-context(body)'],
  ['a part of a component', '.$own::part(x){color:red}', '::part(x)'],
  ['slotted elements', '.$own::slotted(*){color:red}', '::slotted(*)'],
  ['the page’s transition', '::view-transition-old(root){display:none}', '::view-transition-old(root)'],
  ['a name in the page’s transition', '.$own{view-transition-name:root}', 'view-transition-name:root'],
  ['how the page changes', '@view-transition{navigation:none}', '@view-transition'],
  ['the printed page', '@page{size:1in}', '@page'],
  ['a font', '@font-face{font-family:system-ui;src:url(picture.svg)}', '@font-face'],
  ['an animation of others', '@keyframes spin{to{opacity:0}}', 'spin'],
  ['an animation of others as a string', '@keyframes "spin"{to{opacity:0}}', 'spin'],
  ['an animation of the shell, with the tag', '@keyframes fc-$TAG{to{opacity:0}}', 'fc-'],
  ['a rule in an animation', '@keyframes mfe-tiny_a{body{color:red}}', 'body'],
  ['a registered token', '@property --fc-space-1{syntax:"*";inherits:false}', '--fc-space-1'],
  ['a registered property of others', '@property --size{syntax:"*";inherits:false}', '--size'],
  ['a counter style of others', '@counter-style decimal{system:cyclic;symbols:"x"}', 'decimal'],
  ['a token', '.$own{--fc-color-text:red}', '--fc-color-text:red'],
  ['a token in other letters', '.$own{--FC-color-text:red}', '--FC-color-text:red'],
  ['a token in an animation', '@keyframes mfe-tiny_a{to{--fc-space-1:0}}', '--fc-space-1:0'],
  [
    'a picture of others',
    '.$own{background:url(https://evil.example/x.png)}',
    'url(https://evil.example/x.png)',
  ],
  [
    'a picture without a scheme',
    '.$own{background:url("//evil.example/x.png")}',
    'url("//evil.example/x.png")',
  ],
  ['a path of the site', '.$own{background:url(/logout)}', 'url(/logout)'],
  ['a file that the release lacks', '.$own{background:url(x.svg)}', 'url(x.svg)'],
  ['a document as data', '.$own{background:url(data:text/html,x)}', 'url(data:text/html,x)'],
  ['a picture in a custom property', '.$own{--x:{a:url(https://evil.example)}}', 'url(https://evil.example)'],
  ['a picture in a function', '.$own{background:image-set("https://evil.example/x" 1x)}', 'image-set('],
  ['a picture in upper case', '.$own{background:URL(//evil.example)}', 'URL(//evil.example)'],
  [
    'a picture in a counter style',
    '@counter-style mfe-tiny_a{symbols:url(//evil.example)}',
    'url(//evil.example)',
  ],
  ['a URL with modifiers', '.$own{background:url("picture.svg" evil)}', 'url("picture.svg" evil)'],
  ['a brace that closes another sheet’s rule', '}body{color:red}', 'an unexpected }'],
  ['a block that stays open', '.$own{color:red', 'block'],
  ['a string that stays open', '.$own{content:"x', 'string'],
  ['a string over two lines', '.$own{content:"x\n}body{color:red}', ''],
  ['a comment that stays open', '.$own{color:red}/* ', 'comment'],
  ['brackets that cross', '.$own:is(.x]{color:red}', 'unexpected ]'],
  ['the end of its element', '.$own{content:"</style><script>"}', '</'],
  ['marks of old documents', '<!-- body{color:red} -->', '<!'],
  ['a null character', '.$own\0{color:red}', 'null'],
  ['blocks without end', `.$own${'{a'.repeat(50)}${'}'.repeat(50)}`, 'more than 32'],
  ['a semicolon before a rule', ';body;.$own{color:red}', 'body'],
  ['a declaration outside of rules', 'color:red;.$own{color:red}', 'color:red'],
  ['an empty selector', '{color:red}', ''],
  ['a selector that ends with a combinator', '.$own>{color:red}', '.$own>'],
  ['an unknown at-rule', '@future{body{color:red}}', '@future'],
  ['a set of rules without a block', '@media print;', '@media print'],
  ['a column combinator', '.$own||body{color:red}', '||'],
  ['a custom property that hides a rule', '--x:{};body{color:red}', 'body'],
];

describe('the style sheets of a release', () => {
  it.each(OWN)('are accepted with %j', (css) => {
    expect(find(css)).toEqual([]);
  });

  it.each(FOREIGN)('are refused with %s', (_, css, found) => {
    const all = find(css);
    expect(all.length).toBeGreaterThan(0);
    expect(all.map((style) => style.found).join('\n')).toContain(sheet(found));
  });

  it('have every foreign rule reported', () => {
    expect(find('a{b{c:d}}.$own{color:red}p{--fc-x:1}').map(({ found }) => found)).toEqual([
      'a',
      'p',
      '--fc-x:1',
    ]);
  });
});
