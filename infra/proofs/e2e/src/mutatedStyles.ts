import fc from 'fast-check';
import { declaration } from './mutatedFragments.ts';

/** A class that the build would write for the remote whose classes end with `tag`. */
export const ownClass = (tag: string, index = 0): string => `own${index}_${tag}`;

/** Rules of a real style sheet without rules inside. */
export const rulesOf = (css: string): string[] =>
  [...css.matchAll(/(?<=^|\})([^{}@]+)\{([^{}]*)\}/g)]
    .map(([rule]) => rule)
    .filter((rule) => rule.length < 400);

/** `~own~` stands for an own class. */
const SELECTORS = [
  '~own~',
  '~own~',
  '~own~ *',
  '~own~>*',
  '~own~::before',
  '~own~::after',
  '~own~::backdrop',
  '~own~~*',
  '~own~+*',
  ':is(~own~,~own~ a)',
  'body ~own~',
  ':root:has(~own~) ~own~',
  '.fc-main ~own~',
  '[data-slot] ~own~ *',
  '~own~:not(.x)',
  '~own~ dialog',
  '~own~ svg',
];
const FOREIGN_SELECTORS = [
  'body',
  ':root',
  '*',
  '.fc-slot',
  '[data-slot]',
  ':has(~own~)',
  'body:has(~own~)',
  '.fc-slot:has(~own~)',
  ':not(~own~)',
  '~own~::part(x)',
  ':is(~own~,.witness)',
  '.witness',
  ':host',
  '&',
];
const AROUND: readonly ((rule: string) => string)[] = [
  ...Array.from({ length: 9 }, () => (rule: string) => rule),
  (rule) => `@media (width>1px){${rule}}`,
  (rule) => `@supports (display:grid){${rule}}`,
  (rule) => `@layer{${rule}}`,
  (rule) => `@layer base{${rule}}`,
  (rule) => `@scope{${rule}}`,
  (rule) => `@starting-style{${rule}}`,
  (rule) => `@container (width>1px){${rule}}`,
  (rule) => `}${rule}`,
];
/** Declarations that reach further than a box when nothing contains them. */
const REACHING = [
  'position:fixed;inset:0;z-index:2147483647;background:red',
  'position:absolute;inset:-900px;background:red',
  'position:sticky;top:0;block-size:900px',
  'margin:-900px',
  'margin-top:-900px;padding-top:900px;background:red',
  'box-shadow:0 0 0 900px red',
  'outline:900px solid red',
  'filter:drop-shadow(200px 200px 0 red)',
  'transform:translate(-300px,-300px) scale(9)',
  'inline-size:9999px;block-size:9999px;background:red',
  'content:"x";position:fixed;inset:0;background:red',
  'content:open-quote',
  'content:close-quote',
  'counter-reset:list-item 50 part 50',
  'counter-increment:list-item 50 part 50',
  'counter-set:list-item 50 part 50',
  'overflow:visible',
  'contain:none;overflow:visible',
  'display:contents',
  'display:block;position:fixed;inset:0',
  'float:right;inline-size:9999px',
  'font-size:900px;line-height:0',
  'text-indent:-900px;white-space:nowrap',
  'writing-mode:vertical-rl;block-size:9999px',
  'columns:90;column-rule:900px solid red',
  'zoom:9',
  'anchor-name:--a;position:fixed;position-area:bottom',
  'offset-path:path("M-300 -300L900 900");offset-distance:50%',
  'border-image:linear-gradient(red,red) 1/1/900px',
  'will-change:transform;translate:-300px -300px',
  'animation:x 1s',
  'view-transition-name:root',
  'background:url(//evil.example/x)',
  '--fc-space-4:99px',
  'mix-blend-mode:difference;position:fixed;inset:0;background:white',
  'backdrop-filter:invert(1);position:fixed;inset:0',
  'text-shadow:200px 200px 0 red',
  'scroll-margin:900px;scroll-snap-align:start',
  'overlay:auto',
  'all:unset;position:fixed;inset:0;background:red',
];

const declarations = fc
  .array(fc.oneof(fc.constantFrom(...REACHING), declaration), { minLength: 1, maxLength: 3 })
  .map((all) => all.join(';'));
const ownRule = fc
  .tuple(
    fc.constantFrom(...AROUND),
    fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...SELECTORS) }, fc.constantFrom(...FOREIGN_SELECTORS)),
    declarations,
  )
  .map(([around, selector, content]) => around(`${selector}{${content}}`));
/** A real rule with more declarations. */
const realRule = (rules: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...rules), declarations)
    .map(([rule, content]) => rule.replace(/;?\}$/, `;${content}}`));

/** Style sheets of a release, from rules of real ones. */
export const mutatedStyles = (rules: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof({ weight: 3, arbitrary: ownRule }, realRule(rules)), { minLength: 1, maxLength: 2 })
    .map((all) => all.join('\n'));
