import { remoteNameSchema } from '@forecourt/shared-contracts/slots/release';
import type { Request } from 'express';
import { z } from 'zod';
import {
  originSchema,
  RegistryError,
  type ReleaseId,
  releaseIdSchema,
  zodReasons,
} from '@forecourt/cli/release';

/** Parses input of a request. @throws RegistryError BAD_REQUEST with the reasons in one line */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new RegistryError('BAD_REQUEST', zodReasons(parsed.error));
}

export const remoteNameOf = (req: Request): string => parseInput(remoteNameSchema, req.params['name']);
export const releaseIdOf = (req: Request): ReleaseId => parseInput(releaseIdSchema, req.params);

export const revisionSchema = z.number().int().nonnegative();
/** Fields of every pointer write: the revision it starts from, who writes and why. */
export const writeSchema = originSchema
  .omit({ skipGate: true })
  .extend({ expectedRevision: revisionSchema.optional() });

/** Fields of the pointer writes that the gate checks. */
export const gatedWriteSchema = writeSchema.extend({
  /** Moves the pointer without asking any shell, in an emergency; needs a `why`, stored in the history. */
  skipGate: z.boolean().default(false),
});

/** Separates origin and expected revision from the rest of a write's body. */
export function splitWrite<T extends z.infer<typeof writeSchema>>({ by, why, expectedRevision, ...rest }: T) {
  return { rest, options: { origin: { by, ...(why === undefined ? {} : { why }) }, expectedRevision } };
}

/**
 * Whether the client has this representation already (RFC 9110, If-None-Match).
 * Express's `req.fresh` is not usable: it treats `Cache-Control: no-cache` as
 * unconditional, and fetch adds that header to every request with If-None-Match.
 * @param etag strong, with quotes
 */
export function isNotModified(req: Request, etag: string): boolean {
  const tags = req.headers['if-none-match'];
  if (tags === undefined) return false;
  return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
