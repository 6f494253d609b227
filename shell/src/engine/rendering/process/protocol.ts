import { z } from 'zod';
import type { CallName, CallParams } from '@forecourt/slots/calls';
import type { ReleaseSide } from '../container.ts';
import { MAX_HTML_BYTES } from '../fragment/slotHtml.data.ts';
import type { SentPart } from './stateEncoder.ts';

// A release's process runs untrusted code: each of its messages is parsed by the schema below, and has a
// maximum size. The shell's own messages are trusted by the process and need no schema.

/**
 * Limits of one message from a release. The body is HTML. The header, which the shell parses, has the data that hydration
 * needs: the number of its values is limited, because a megabyte of nested arrays takes half a second of `JSON.parse`.
 */
export const MESSAGE_LIMITS = {
  maxHeaderBytes: 1024 * 1024,
  maxHeaderValues: 20_000,
  maxBodyBytes: MAX_HTML_BYTES,
};
/** Deeper values overflow the stack of whatever walks them, e.g. `JSON.stringify`. */
const MAX_DEPTH = 100;

/** What a process is started with: the verified sources of one release. */
export interface ReleaseProgram extends ReleaseSide {
  readonly releaseId: string;
}

/** Messages from the shell; `render` carries the JSON of parts and state as its body, `load` that of the sources. */
export type ToRelease =
  | {
      readonly kind: 'load';
      readonly program: Omit<ReleaseProgram, 'sources'>;
    }
  | {
      readonly kind: 'render';
      readonly id: number;
      readonly slot: string;
      readonly checksReads: boolean;
      readonly loaded?: { readonly data: unknown };
      readonly parts: readonly SentPart[];
    }
  /** The job is abandoned; the process replies `alive`, so that one that hangs is noticed. */
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'result'; readonly call: number; readonly value: unknown }
  | {
      readonly kind: 'failure';
      readonly call: number;
      readonly message: string;
      /** The gateway's code, e.g. 'REFUSED'. */
      readonly code: string;
    };

const id = z.number().int().positive();
const message = z.string().transform((text) => text.slice(0, 2_000));

const fromRelease = z.discriminatedUnion('kind', [
  /** The process runs, and no code of a release ran in it yet. */
  z.strictObject({ kind: z.literal('started') }),
  z.strictObject({ kind: z.literal('ready') }),
  z.strictObject({
    kind: z.literal('unusable'),
    message,
    /** What of its container does not work. */
    fault: z.enum(['ENTRY', 'SHARE_SCOPE', 'MODULE']).optional(),
    /** Kinds of resources that its modules started and did not stop. */
    leftRunning: z.array(z.string().max(100)).max(20).optional(),
  }),
  /**
   * The job's data is loaded and its view is about to run: names the job to blame if the process then hangs. Without it, the
   * oldest job is to blame: most are rendered in the order in which they came, and each message wakes the shell.
   */
  z.strictObject({ kind: z.literal('rendering'), id }),
  /** The body is the HTML. The header was parsed as JSON, so that every unknown value here is JSON. */
  z.strictObject({
    kind: z.literal('done'),
    id,
    data: z.unknown().optional(),
    isPartial: z.boolean().optional(),
    structuredData: z.looseObject({}).optional(),
    page: z.looseObject({}).optional(),
  }),
  z.strictObject({ kind: z.literal('failed'), id, message, stack: message.optional() }),
  z.strictObject({ kind: z.literal('alive') }),
  z.strictObject({
    kind: z.literal('call'),
    id,
    call: id,
    name: z
      .string()
      .max(100)
      .transform((name) => name as CallName),
    params: z.looseObject({}).transform((params) => params as CallParams),
  }),
  /** An exception outside of any job. */
  z.strictObject({ kind: z.literal('uncaughtError'), message }),
]);
export type FromRelease = z.infer<typeof fromRelease>;

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member)));

/** Throws when the message does not fit the protocol. */
export function parseFromRelease(raw: unknown): FromRelease {
  if (isDeeperThan(MAX_DEPTH, raw)) throw new Error(`a message with more than ${MAX_DEPTH} levels`);
  return fromRelease.parse(raw);
}
