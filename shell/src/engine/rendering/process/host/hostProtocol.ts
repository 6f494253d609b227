import { z } from 'zod';

// A release host starts releases' processes where the shell cannot: in a container of its own. One connection to its Unix
// socket is one process. Frames are those of `channel.ts`: a JSON header, and bytes of the process as body.

/** Shell and host come from one build; another one is refused. */
export const HOST_PROTOCOL = 2;

/** Limits of a frame from the host; bytes. A body is what one read of a pipe returned. */
export const FROM_HOST_LIMITS = { maxHeaderBytes: 16 * 1024, maxBodyBytes: 1024 * 1024 };
/** Limits of a frame from the shell, which sends the sources of a release at once; bytes. */
export const TO_HOST_LIMITS = { maxHeaderBytes: 16 * 1024, maxBodyBytes: 512 * 1024 * 1024 };

/** From the shell. Closing the connection kills the process. */
export type ToHost =
  | { readonly kind: 'data' }
  | { readonly kind: 'seal' }
  | { readonly kind: 'priority'; readonly isLow: boolean };

const usage = z.strictObject({ cpuMs: z.number(), waitMs: z.number(), memory: z.number() });

const fromHost = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('hello'), protocol: z.number(), notes: z.array(z.string()).max(20) }),
  /** The body is what the program wrote to its channel, or printed. */
  z.strictObject({ kind: z.literal('data') }),
  z.strictObject({ kind: z.literal('output') }),
  /** At most every 50 ms, when it has changed; `usage` is undefined where the host's system does not tell. */
  z.strictObject({ kind: z.literal('usage'), usage: usage.optional(), allCpuMs: z.number() }),
  z.strictObject({ kind: z.literal('sealed') }),
  z.strictObject({ kind: z.literal('not-sealed'), reason: z.string().max(1_000) }),
  z.strictObject({ kind: z.literal('ended'), reason: z.string().max(1_000) }),
]);
export type FromHost = z.infer<typeof fromHost>;

/** Throws when a host sends something else. */
export const parseFromHost = (raw: unknown): FromHost => fromHost.parse(raw);
