import { TokenType } from '@csstools/css-tokenizer';
import { isBoundSelector } from './boundSelector.ts';
import { isOwnClass, isOwnName, isShellName } from './ownNames.ts';
import {
  type Component,
  StyleSyntaxError,
  isBlock,
  isSpace,
  isType,
  nameOf,
  readComponents,
  splitAtCommas,
  textOf,
  trim,
} from './styleSyntax.ts';

/** Something in a style sheet that could affect more than the release's own elements. */
export interface ForeignStyle {
  readonly expected: string;
  readonly found: string;
  readonly remedy: string;
}

export interface StyleOwner {
  readonly remote: string;
  /** Whether a relative URL of the sheet leads to a file of the release. */
  readonly hasFile: (url: string) => boolean;
}

/** At-rules around other rules, which only say when those apply. */
const CONDITIONS = new Set(['media', 'supports', 'container', 'starting-style']);
/** Functions that load what a string in them names. */
const LOADING = /^(?:src|image|(?:-webkit-)?image-set|(?:-webkit-)?cross-fade|(?:-moz-)?element|paint)$/i;
/** Two elements of a page with the same of these names would end its transitions. */
const PAGE_PROPERTIES = /^view-transition-/i;

type Found = Generator<ForeignStyle, void, undefined>;

type Scope = StyleOwner & { readonly isNested: boolean };

const SYNTAX = {
  expected: 'style sheets that every browser reads alike, as the build writes them',
  remedy:
    'write it as css-loader and Lightning CSS do: balanced, complete, without escapes outside of strings',
};

function* checkSelector(prelude: readonly Component[], { remote, isNested }: Scope): Found {
  if (isBoundSelector(prelude, { isNested, isOwnClass: (name) => isOwnClass(name, remote) })) return;
  yield {
    expected: "selectors whose elements have a class of the release's CSS modules, or are below one that has",
    found: textOf(prelude),
    remedy: 'put the rule into a *.module.css, below a class: `.root a` instead of `a` or `:global(a)`',
  };
}

function* checkName(name: string, kind: string, { remote }: Scope): Found {
  if (isOwnName(name, remote)) return;
  yield {
    expected: `${kind} named by a CSS module, or ${remote}_NAME: all style sheets of a page share these names`,
    found: name,
    remedy: `call it ${name.startsWith('--') ? '--' : ''}${remote}_${name.replace(/^-+/, '')}`,
  };
}

/** The value of an identifier or string. */
const textValue = (component: Component | undefined): string | undefined => {
  if (isType(component, TokenType.Ident)) return nameOf(component);
  return isType(component, TokenType.String) ? component.token[4].value : undefined;
};

const OWN_URL = /^[A-Za-z0-9._~/-]+$/;
const isOwnUrl = (url: string, { hasFile }: StyleOwner): boolean =>
  /^data:image\/[a-z+.-]+[;,]/i.test(url) || (OWN_URL.test(url) && !url.startsWith('/') && hasFile(url));

/** The address that a component loads: of a `url()`, whose other forms have none that is known. */
function urlOf(component: Component): string | undefined {
  const { inside = [] } = component;
  if (isType(component, TokenType.URL)) return component.token[4].value;
  if (!isType(component, TokenType.Function) || nameOf(component).toLowerCase() !== 'url') return undefined;
  const content = trim(inside);
  return (content.length === 1 && textValue(content[0])) || '';
}

/** What a value loads. */
function* checkValue(value: readonly Component[], scope: Scope): Found {
  for (const component of value) {
    const url = urlOf(component);
    const isLoading =
      url === undefined
        ? isType(component, TokenType.Function) && LOADING.test(nameOf(component))
        : !isOwnUrl(url, scope);
    if (isLoading)
      yield {
        expected: 'url() of files of the release or data:image/, and no other function that loads',
        found: textOf([component]),
        remedy: 'import the picture from the CSS module, so that the build adds it to the release',
      };
    else yield* checkValue(component.inside ?? [], scope);
  }
}

function* checkDeclaration(declaration: readonly Component[], scope: Scope): Found {
  const [property] = declaration;
  if (!isType(property, TokenType.Ident)) return yield { ...SYNTAX, found: textOf(declaration) };
  const name = nameOf(property);
  if (isShellName(name))
    yield {
      expected: "the shell's --fc- properties are read, not set",
      found: textOf(declaration),
      remedy: 'set a property of another name',
    };
  if (PAGE_PROPERTIES.test(name))
    yield {
      expected: 'no view-transition- properties: the page shares their names',
      found: textOf(declaration),
      remedy: 'animate the element itself',
    };
  yield* checkValue(declaration.slice(1), scope);
}

/** `name: …`, which is a declaration unless a block makes it a rule. */
const isDeclaration = (components: readonly Component[]): boolean => {
  const [name, ...rest] = components;
  return (
    isType(name, TokenType.Ident) &&
    isType(
      rest.find((one) => !isSpace(one)),
      TokenType.Colon,
    )
  );
};

/** The content of a block or sheet, one statement at a time: what is before its block or semicolon, and the block. */
function* statements(components: readonly Component[]): Generator<{
  readonly prelude: readonly Component[];
  readonly block?: Component & { inside: readonly Component[] };
}> {
  let prelude: Component[] = [];
  for (const component of components) {
    const isEnd = isType(component, TokenType.Semicolon);
    // A custom property may hold a block; it is no rule.
    const isCustomProperty = isDeclaration(trim(prelude)) && nameOf(trim(prelude)[0]!).startsWith('--');
    if (!isEnd && (!isBlock(component) || isCustomProperty)) {
      prelude.push(component);
      continue;
    }
    const trimmed = trim(prelude);
    prelude = [];
    if (isBlock(component)) yield { prelude: trimmed, block: component };
    else if (trimmed.length > 0) yield { prelude: trimmed };
  }
  if (trim(prelude).length > 0) yield { prelude: trim(prelude) };
}

/** Declarations only, as in an animation's steps. */
function* checkDeclarations(components: readonly Component[], scope: Scope): Found {
  for (const { prelude, block } of statements(components)) {
    if (block || !isDeclaration(prelude)) yield { ...SYNTAX, found: textOf(prelude) };
    else yield* checkDeclaration(prelude, scope);
  }
}

const STEP =
  /^(?:(?:from|to|(?:entry|exit|cover|contain|entry-crossing|exit-crossing) [\d.]+%|[\d.]+%)(?: ?, ?|$))+$/i;

function* checkKeyframes(components: readonly Component[], scope: Scope): Found {
  for (const { prelude, block } of statements(components)) {
    if (!block || !STEP.test(textOf(prelude))) yield { ...SYNTAX, found: textOf(prelude) };
    else yield* checkDeclarations(block.inside, scope);
  }
}

function* checkLayer(
  prelude: readonly Component[],
  block: { readonly inside: readonly Component[] } | undefined,
  scope: Scope,
): Found {
  if (prelude.length > 0)
    for (const [first] of splitAtCommas(prelude))
      if (isType(first, TokenType.Ident)) yield* checkName(nameOf(first), 'layers', scope);
      else yield { ...SYNTAX, found: `@layer ${textOf(prelude)}` };
  if (block) yield* checkStatements(block.inside, scope);
}

function* checkAtRule(
  [keyword, ...rest]: readonly Component[],
  block: { readonly inside: readonly Component[] } | undefined,
  scope: Scope,
): Found {
  const name = nameOf(keyword!).toLowerCase();
  const prelude = trim(rest);
  if (CONDITIONS.has(name) && block) return yield* checkStatements(block.inside, scope);
  if (name === 'layer') return yield* checkLayer(prelude, block, scope);
  const ownName = prelude.length === 1 ? textValue(prelude[0]) : undefined;
  if (block && ownName !== undefined && !scope.isNested) {
    switch (name) {
      case 'keyframes':
      case '-webkit-keyframes':
        yield* checkName(ownName, 'animations', scope);
        return yield* checkKeyframes(block.inside, scope);
      case 'property':
      case 'counter-style':
        yield* checkName(ownName, `names of @${name}`, scope);
        return yield* checkDeclarations(block.inside, scope);
    }
  }
  yield {
    expected:
      'no at-rules but @media, @supports, @container, @starting-style, @layer, @keyframes, @property, @counter-style',
    found: textOf([keyword!, ...rest]),
    remedy: 'leave it out; what it does to the page is the shell’s to decide',
  };
}

function* checkStatements(components: readonly Component[], scope: Scope): Found {
  for (const { prelude, block } of statements(components)) {
    if (isType(prelude[0], TokenType.AtKeyword)) yield* checkAtRule(prelude, block, scope);
    else if (block) {
      yield* checkSelector(prelude, scope);
      yield* checkStatements(block.inside, { ...scope, isNested: true });
    } else if (scope.isNested && isDeclaration(prelude)) yield* checkDeclaration(prelude, scope);
    else yield { ...SYNTAX, found: textOf(prelude) };
  }
}

/**
 * What in a style sheet could affect more than the elements of its owner. Reads a part of CSS only and reports
 * everything else, so that no browser can read a sheet in another way than this.
 */
export function findForeignStyles(css: string, owner: StyleOwner): ForeignStyle[] {
  try {
    return [...checkStatements(readComponents(css), { ...owner, isNested: false })];
  } catch (error) {
    if (!(error instanceof StyleSyntaxError)) throw error;
    return [{ ...SYNTAX, found: error.message }];
  }
}
