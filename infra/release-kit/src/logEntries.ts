import { z } from 'zod';
import { canonicalJson, sha256 } from './canonicalJson.ts';

const LOG_ACTIONS = [
  'publish',
  'pointer',
  'canary',
  'promote',
  'rollback',
  'hold',
  'resume',
  'remove',
  'create-credential',
  'rotate-credential',
  'revoke-credential',
  'exchange-token',
  'add-key',
  'remove-key',
] as const;

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

const logEventSchema = z.object({
  action: z.enum(LOG_ACTIONS),
  /** The credential that acted. */
  by: z.string(),
  /** Release, remote, credential or key. */
  subject: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
/** Something that the log records. */
export type LogEvent = z.infer<typeof logEventSchema>;

const logEntrySchema = logEventSchema.extend({
  sequence: z.number().int().positive(),
  at: z.iso.datetime(),
  /** Hash of the entry before, so that no entry can change without changing all that follow. */
  previous: hashSchema,
});
export type LogEntry = z.infer<typeof logEntrySchema>;

/** Entries are sent as the text that their hash covers. */
export const logPageSchema = z.object({ entries: z.array(z.string()) });

/** The newest entry of a log; its hash covers all earlier entries. */
export interface LogHead {
  readonly sequence: number;
  readonly hash: string;
}
export const EMPTY_LOG: LogHead = { sequence: 0, hash: '0'.repeat(64) };

export const describeHead = ({ sequence, hash }: LogHead): string => `${sequence}:${hash}`;

/** The text of the entry that follows `head`. */
export const nextEntry = (head: LogHead, event: LogEvent, at: Date): string =>
  canonicalJson({ ...event, at: at.toISOString(), sequence: head.sequence + 1, previous: head.hash });

/** Verifies that `text` is the entry that follows `head`. @throws Error which names the first broken entry */
export function readEntry(head: LogHead, text: string): { readonly entry: LogEntry; readonly head: LogHead } {
  const sequence = head.sequence + 1;
  let entry: LogEntry;
  try {
    entry = logEntrySchema.parse(JSON.parse(text));
  } catch {
    throw new Error(`entry ${sequence} of the log cannot be read`);
  }
  if (entry.sequence !== sequence)
    throw new Error(`entry ${sequence} of the log is missing; entry ${entry.sequence} follows instead`);
  if (entry.previous !== head.hash)
    throw new Error(`the log is broken: entry ${sequence} does not follow from the entries before it`);
  return { entry, head: { sequence, hash: sha256(text) } };
}
