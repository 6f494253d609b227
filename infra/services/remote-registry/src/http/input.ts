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

/** Parses what a caller sent, or refuses it with BAD_REQUEST and the reasons in one line. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new RegistryError('BAD_REQUEST', zodReasons(parsed.error));
}

export const remoteNameOf = (req: Request): string => parseInput(remoteNameSchema, req.params['name']);
export const releaseIdOf = (req: Request): ReleaseId => parseInput(releaseIdSchema, req.params);

export const revisionSchema = z.number().int().nonnegative();
/** What every write may say: the revision that it starts from, who writes and why. */
export const writeSchema = originSchema
  .omit({ skipGate: true })
  .extend({ expectedRevision: revisionSchema.optional() });

/** What those writes may say which the gate stands before. */
export const gatedWriteSchema = writeSchema.extend({
  /** Moves the pointer without asking any shell; for emergencies, with a `why`, kept in the history. */
  skipGate: z.boolean().default(false),
});

/** Takes who, why and from which revision out of a write's body. */
export function splitWrite<T extends z.infer<typeof writeSchema>>({ by, why, expectedRevision, ...rest }: T) {
  return { rest, options: { origin: { by, ...(why === undefined ? {} : { why }) }, expectedRevision } };
}
