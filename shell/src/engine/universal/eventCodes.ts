import { EVENT_SCHEMAS, type EventType } from '@forecourt/shared-contracts/events';

const EVENT_TYPES: readonly string[] = Object.keys(EVENT_SCHEMAS);
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
/** Server and browser code of a page are one build, so a letter stands for the same event in both. */
const codeOf = (type: string): string | undefined => LETTERS[EVENT_TYPES.indexOf(type)];

/** One letter per event: the lists of a results page take 0.4 KB instead of 2.4 KB. */
export const eventCodes = (types: readonly EventType[]): string => types.map(codeOf).join('');

export function hasEvent(codes: string, type: string): boolean {
  const code = codeOf(type);
  return code !== undefined && codes.includes(code);
}
