import type { SourceRow } from './mapping.ts';

/**
 * A nested row as columns: `price.amount`, `photos.photo`. A list of values stays one; of a list of groups the first
 * one counts, except that their equal fields are collected: `[{url: 'a'}, {url: 'b'}]` is `url: ['a', 'b']`.
 */
export function flatten(value: unknown, name = '', into: Record<string, unknown> = {}): SourceRow {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)) {
    for (const item of value) flatten(item, name, into);
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [key, item] of Object.entries(value)) flatten(item, name ? `${name}.${key}` : key, into);
  } else if (value !== undefined && value !== null) {
    const before = into[name];
    into[name] = before === undefined ? value : [before, value].flat();
  }
  return into;
}
