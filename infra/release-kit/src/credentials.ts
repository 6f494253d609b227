import { remoteNameSchema } from '@forecourt/releases/manifest';
import { z } from 'zod';
import { ACTIONS } from './actions.ts';

/** Actions on one remote, or on all of them (`*`). */
export const scopeSchema = z.object({
  remote: z.union([z.literal('*'), remoteNameSchema]),
  actions: z.array(z.enum(ACTIONS)).min(1).max(ACTIONS.length),
});
export type Scope = z.infer<typeof scopeSchema>;

/** Names that people choose; those of CI runs contain a colon, so that they can't collide. */
export const credentialNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{1,49}$/, 'must be 2 to 50 lowercase letters, digits and hyphens');

export const callerSchema = z.object({
  /** The history and the log show this name. */
  name: z.string().min(1).max(100),
  scopes: z.array(scopeSchema),
});
/** Caller of a request, identified by its credential. */
export type Caller = z.infer<typeof callerSchema>;

/** A credential as it is listed; its token is shown once, when it is created or rotated. */
export const credentialSchema = callerSchema.extend({
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
  expiresAt: z.iso.datetime().optional(),
});
export type Credential = z.infer<typeof credentialSchema>;

export const credentialsSchema = z.object({ credentials: z.array(credentialSchema) });
/** The only response that holds a token. */
export const issuedCredentialSchema = z.object({ credential: credentialSchema, token: z.string() });

/** 'publish, canary mfe-results; end-canary *' */
export const describeScopes = (scopes: readonly Scope[]): string =>
  scopes.map(({ remote, actions }) => `${actions.join(', ')} ${remote}`).join('; ');
