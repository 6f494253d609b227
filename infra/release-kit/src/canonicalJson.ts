import { createHash } from 'node:crypto';

/** JSON with sorted keys and without white space, as RFC 8785 orders it. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/** SHA-256 in hexadecimal. */
export const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
