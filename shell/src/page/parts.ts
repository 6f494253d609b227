/** Where a page carries the nonce of its answer's Content Security Policy. */
export const NONCE: unique symbol = Symbol('nonce');
/** Where it carries the id of the request that it answers. */
export const REQUEST_ID: unique symbol = Symbol('request id');

/**
 * A piece of a page: HTML, or a place that is filled for each answer anew. A
 * page that several visitors get is kept in parts, so that no text of a listing
 * can ever be taken for such a place.
 */
export type PagePart = string | typeof NONCE | typeof REQUEST_ID;

/** What differs between two answers with the same page. */
export interface PageFills {
  readonly nonce: string;
  readonly requestId: string;
}

/** HTML with places in it: filled`<style nonce="${NONCE}">`. Values that are text must be escaped already. */
export const filled = (texts: TemplateStringsArray, ...values: readonly PagePart[]): PagePart[] =>
  texts.flatMap((text, index) => (index < values.length ? [text, values[index] as PagePart] : [text]));

export const fillParts = (parts: readonly PagePart[], { nonce, requestId }: PageFills): string =>
  parts.map((part) => (part === NONCE ? nonce : part === REQUEST_ID ? requestId : part)).join('');

/** The same parts with neighbouring texts as one piece of UTF-8. */
export function mergeParts(parts: readonly PagePart[]): (Buffer | typeof NONCE | typeof REQUEST_ID)[] {
  const merged: (Buffer | typeof NONCE | typeof REQUEST_ID)[] = [];
  let text = '';
  const endText = () => {
    if (text !== '') merged.push(Buffer.from(text));
    text = '';
  };
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else {
      endText();
      merged.push(part);
    }
  }
  endText();
  return merged;
}
