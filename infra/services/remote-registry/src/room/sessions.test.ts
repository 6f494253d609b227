import { describe, expect, it } from '@jest/globals';
import { callerOfClaims, usedClaims, type Role } from './sessions.ts';

const ROLES: readonly Role[] = [
  { claims: { email: 'ada@example.com' }, scopes: [{ remote: 'mfe-results', actions: ['rollback'] }] },
  { claims: { groups: 'release-managers' }, scopes: [{ remote: '*', actions: ['promote'] }] },
];
const ada = { sub: '1', email: 'ada@example.com', email_verified: true };

describe('roles of people', () => {
  it('give the scopes of every role whose claims match', () => {
    expect(callerOfClaims(ROLES, ada)).toEqual({ name: 'ada@example.com', scopes: ROLES[0]?.scopes });
    expect(callerOfClaims(ROLES, { ...ada, groups: ['staff', 'release-managers'] })?.scopes).toHaveLength(2);
  });

  it.each([
    ['another address', { ...ada, email: 'ada@example.org' }],
    ['an address that the issuer has not verified', { ...ada, email_verified: false }],
    ['an address without a word about it', { sub: '1', email: 'ada@example.com' }],
    ['a group that contains the name', { sub: '1', groups: ['not-release-managers'] }],
    ['no claims', {}],
  ])('are not for %s', (_, claims) => {
    expect(callerOfClaims(ROLES, claims)).toBeUndefined();
  });

  it('name people without a verified address so that no credential has the same name', () => {
    expect(callerOfClaims(ROLES, { sub: 'bootstrap', groups: ['release-managers'] })?.name).toBe(
      'person:bootstrap',
    );
  });

  it('keep only the claims that matter', () => {
    const claims = { ...ada, picture: 'x', groups: ['staff', 'release-managers'] };
    expect(usedClaims(ROLES, claims)).toEqual({ ...ada, groups: ['release-managers'] });
  });
});
