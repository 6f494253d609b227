import { type Caller, scopeSchema } from '@forecourt/cli/release';
import { z } from 'zod';

/** What people with certain claims may do. */
export const roleSchema = z.strictObject({
  /** Claim of the ID token to its value, e.g. an email address or one of the groups; all must match. */
  claims: z
    .record(z.string(), z.string().min(1))
    .refine((claims) => Object.keys(claims).length > 0, 'must name at least one claim'),
  scopes: z.array(scopeSchema).min(1),
});
export type Role = z.infer<typeof roleSchema>;

/** Claims of a verified ID token. */
export type Claims = Readonly<Record<string, unknown>>;

function matches({ claims: expected }: Role, claims: Claims): boolean {
  // Anyone can enter any address somewhere: it says who someone is only if the issuer has verified it.
  if (Object.hasOwn(expected, 'email') && claims['email_verified'] !== true) return false;
  return Object.entries(expected).every(([claim, value]) => {
    const found = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
    return Array.isArray(found) ? found.includes(value) : found === value;
  });
}

const nameOf = ({ email, email_verified: isVerified, sub }: Claims): string =>
  typeof email === 'string' && isVerified === true ? email : `person:${String(sub)}`;

/** The person with the scopes of all matching roles; undefined without any. The name is an email address or has a colon. */
export function callerOfClaims(roles: readonly Role[], claims: Claims): Caller | undefined {
  const scopes = roles.filter((role) => matches(role, claims)).flatMap((role) => role.scopes);
  return scopes.length > 0 ? { name: nameOf(claims).slice(0, 100), scopes } : undefined;
}

/** The claims that roles and names depend on; a cookie has room for no more. */
export function usedClaims(roles: readonly Role[], claims: Claims): Claims {
  const used = new Set([
    'sub',
    'email',
    'email_verified',
    ...roles.flatMap((role) => Object.keys(role.claims)),
  ]);
  const wanted = new Set(roles.flatMap((role) => Object.values(role.claims)));
  return Object.fromEntries(
    Object.entries(claims)
      .filter(([claim]) => used.has(claim))
      // Of many groups, those that a role names.
      .map(([claim, value]) => [
        claim,
        Array.isArray(value)
          ? value.filter((one: unknown) => typeof one === 'string' && wanted.has(one))
          : value,
      ]),
  );
}
