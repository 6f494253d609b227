import { tokenize, type CSSToken, type TokenIdent, TokenType } from '@csstools/css-tokenizer';

/** A token, or a function or block with what it encloses. */
export interface Component {
  readonly token: CSSToken;
  /** Functions and blocks only. */
  readonly inside?: readonly Component[];
}

/** Why a style sheet cannot be read with certainty. */
export class StyleSyntaxError extends Error {}

const MAX_DEPTH = 32;
/** Longer texts are cut in messages. */
const MAX_SHOWN = 120;

const CLOSING: Readonly<Partial<Record<TokenType, TokenType>>> = {
  [TokenType.Function]: TokenType.CloseParen,
  [TokenType.OpenParen]: TokenType.CloseParen,
  [TokenType.OpenSquare]: TokenType.CloseSquare,
  [TokenType.OpenCurly]: TokenType.CloseCurly,
};
const CLOSINGS: ReadonlySet<TokenType> = new Set(Object.values(CLOSING));
/** Browsers recover from these, each in its own way over the years. */
const NEVER: ReadonlySet<TokenType> = new Set([
  TokenType.BadString,
  TokenType.BadURL,
  TokenType.CDO,
  TokenType.CDC,
]);

/** Reads a style sheet into components. Comments are left out. @throws StyleSyntaxError */
export function readComponents(css: string): Component[] {
  if (css.includes('\0')) throw new StyleSyntaxError('a null character');
  // The page contains the styles of its first view in an element.
  const markup = /<\/|<!/.exec(css);
  if (markup) throw new StyleSyntaxError(`${markup[0]}, which could end the element of the page's styles`);
  const tokens = tokenize(
    { css },
    {
      onParseError: (error) => {
        throw new StyleSyntaxError(error.message);
      },
    },
  ).values();

  function readUntil(end: TokenType, depth: number): Component[] {
    if (depth > MAX_DEPTH) throw new StyleSyntaxError(`more than ${MAX_DEPTH} blocks inside each other`);
    const components: Component[] = [];
    for (const token of tokens) {
      const [type, text] = token;
      if (type === end) return components;
      if (type === TokenType.Comment) continue;
      if (NEVER.has(type) || type === TokenType.EOF || CLOSINGS.has(type))
        throw new StyleSyntaxError(type === TokenType.EOF ? 'an open block' : `an unexpected ${text}`);
      // Strings may contain any character; elsewhere, an escape serves to hide a name.
      if (type !== TokenType.String && text.includes('\\'))
        throw new StyleSyntaxError(`the escape in ${text}`);
      const closing = CLOSING[type];
      components.push(closing === undefined ? { token } : { token, inside: readUntil(closing, depth + 1) });
    }
    throw new StyleSyntaxError('an open block');
  }

  return readUntil(TokenType.EOF, 0);
}

/** The components as text, for people. */
export function textOf(components: readonly Component[]): string {
  const write = (all: readonly Component[]): string =>
    all
      .map(({ token, inside }) => {
        if (!inside) return token[1];
        const closing =
          token[0] === TokenType.OpenCurly ? '}' : token[0] === TokenType.OpenSquare ? ']' : ')';
        return token[1] + write(inside) + closing;
      })
      .join('');
  const text = write(components).replaceAll(/\s+/g, ' ').trim();
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

export const isType = <T extends TokenType>(
  component: Component | undefined,
  type: T,
): component is Component & { readonly token: Extract<CSSToken, { readonly 0: T }> } =>
  component?.token[0] === type;

export const isSpace = (component: Component | undefined): boolean => isType(component, TokenType.Whitespace);

export const isDelim = (component: Component | undefined, character: string): boolean =>
  isType(component, TokenType.Delim) && component.token[1] === character;

export const isBlock = (
  component: Component | undefined,
): component is Component & { inside: readonly Component[] } => isType(component, TokenType.OpenCurly);

/** The name of an identifier, function, at-keyword or hash. */
export const nameOf = ({ token }: Component): string => (token as TokenIdent)[4].value;

/** Without white space at both ends. */
export function trim(components: readonly Component[]): readonly Component[] {
  const start = components.findIndex((component) => !isSpace(component));
  if (start < 0) return [];
  return components.slice(start, components.findLastIndex((component) => !isSpace(component)) + 1);
}

/** Split at commas that are not inside a function or block; each part trimmed. */
export function splitAtCommas(components: readonly Component[]): (readonly Component[])[] {
  const parts: Component[][] = [[]];
  for (const component of components) {
    if (isType(component, TokenType.Comma)) parts.push([]);
    else parts.at(-1)!.push(component);
  }
  return parts.map(trim);
}
