import { z } from 'zod';
import type { CallName, CallParams } from '@forecourt/shared-contracts/calls';
import type { RenderJob } from '../slotRenderer.ts';

// A release's process runs untrusted code: each of its messages is parsed by the schema below, and has a
// maximum size. The shell's own messages are trusted by the process and need no schema.

/**
 * Limits of one message from a release. The body is HTML: a results page of 100 listings is 0.5 MB. The header, which the
 * shell parses, has the data that hydration needs.
 */
export const MESSAGE_LIMITS = { maxHeaderBytes: 1024 * 1024, maxBodyBytes: 4 * 1024 * 1024 };
/** Deeper values overflow the stack of whatever walks them, e.g. `JSON.stringify`. */
const MAX_DEPTH = 100;

/** What a process is started with: the verified sources of one release. */
export interface ReleaseProgram {
  readonly releaseId: string;
  readonly entry: string;
  readonly sources: ReadonlyMap<string, string>;
  readonly slots: Readonly<Record<string, { readonly expose: string }>>;
}

/** Messages from the shell; `render` carries the JSON of the state as its body, `load` that of the sources. */
export type ToRelease =
  | {
      readonly kind: 'load';
      readonly releaseId: string;
      readonly entry: string;
      readonly slots: Readonly<Record<string, { readonly expose: string }>>;
    }
  | {
      readonly kind: 'render';
      readonly id: number;
      readonly slot: string;
      readonly checksReads: boolean;
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
    /** Kinds of resources that its modules started and did not stop. */
    leftRunning: z.array(z.string().max(100)).max(20).optional(),
  }),
  /** The job's data is loaded and its view is about to run: names the job to blame if the process then hangs. */
  z.strictObject({ kind: z.literal('painting'), id }),
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
  z.strictObject({ kind: z.literal('stray'), message }),
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

/** JSON in UTF-8, in pieces that are written one after the other. */
export type StateEncoder = (state: RenderJob['state']) => readonly Buffer[];

/** Parts below are copied into one piece with their neighbors; characters. */
const MIN_PIECE = 4096;

type Encoded = string | Buffer;

function encodePart(part: unknown): Encoded | undefined {
  const text = JSON.stringify(part) as string | undefined;
  return text !== undefined && text.length >= MIN_PIECE ? Buffer.from(text) : text;
}

/**
 * Encodes slices of the state as JSON. The slots of one page share parts of its state (listings, filters): each part is
 * encoded once, and its bytes are sent to all of them. State is never changed in place.
 */
export function createStateEncoder(): StateEncoder {
  const encoded = new WeakMap<object, Encoded>();
  const encodeOnce = (part: unknown): Encoded | undefined => {
    if (typeof part !== 'object' || part === null) return encodePart(part);
    const existing = encoded.get(part);
    if (existing !== undefined) return existing;
    const value = encodePart(part);
    if (value !== undefined) encoded.set(part, value);
    return value;
  };
  return ({ search, ...others }) => {
    const pieces: Buffer[] = [];
    let text = '';
    const append = (value: Encoded) => {
      if (typeof value === 'string') text += value;
      else {
        pieces.push(Buffer.from(text), value);
        text = '';
      }
    };
    const appendMembers = (parts: object) => {
      let separator = '';
      for (const [name, part] of Object.entries(parts)) {
        const value = encodeOnce(part);
        if (value === undefined) continue;
        append(`${separator}${JSON.stringify(name)}:`);
        append(value);
        separator = ',';
      }
      return separator;
    };
    append('{');
    const separator = appendMembers(others);
    if (search) {
      append(`${separator}"search":{`);
      appendMembers(search);
      append('}');
    }
    append('}');
    pieces.push(Buffer.from(text));
    return pieces;
  };
}
