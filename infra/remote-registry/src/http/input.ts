import { remoteNameSchema } from '@forecourt/shared-contracts/slots/release';
import type { Request } from 'express';
import { z } from 'zod';
import { RegistryError } from '../registryError.ts';
import { type ReleaseId, releaseIdSchema } from '../releases/releaseStore.ts';
import { zodReasons } from '../zodReasons.ts';

/** Parses what a caller sent, or refuses it with BAD_REQUEST and the reasons in one line. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new RegistryError('BAD_REQUEST', zodReasons(parsed.error));
}

export const remoteNameOf = (req: Request): string => parseInput(remoteNameSchema, req.params['name']);
export const releaseIdOf = (req: Request): ReleaseId => parseInput(releaseIdSchema, req.params);

export const revisionSchema = z.number().int().nonnegative();
export const optionalRevisionSchema = z.object({ expectedRevision: revisionSchema.optional() });
