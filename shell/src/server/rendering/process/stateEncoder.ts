import type { RenderJob } from '../slotRenderer.ts';

export type StateEncoder = (state: RenderJob['state']) => string;

/**
 * Encodes slices of the state as JSON. The slots of one page share parts of its state (listings, filters), and each part
 * is encoded once. State is never changed in place.
 */
export function createStateEncoder(): StateEncoder {
  const encoded = new WeakMap<object, string>();
  const encodePart = (part: unknown): string | undefined => {
    if (typeof part !== 'object' || part === null) return JSON.stringify(part);
    let text = encoded.get(part);
    if (text === undefined) {
      text = JSON.stringify(part);
      encoded.set(part, text);
    }
    return text;
  };
  const encodeParts = (parts: object, encode: (part: unknown) => string | undefined): string => {
    const members = Object.entries(parts).flatMap(([name, part]) => {
      const text = encode(part);
      return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
    });
    return `{${members.join()}}`;
  };
  return ({ search, ...others }) =>
    encodeParts({ ...others, ...(search && { search }) }, (part) =>
      part === search && search ? encodeParts(search, encodePart) : encodePart(part),
    );
}
