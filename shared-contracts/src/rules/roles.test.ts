import { describe, expect, it } from '@jest/globals';
import { CALLS, type CallDefinition } from '../calls/table.ts';
import { buildOwner } from '../testing/builders.ts';
import { sellerRole, visitorRole } from './roles.ts';

describe('roles', () => {
  // rows: A1-ROLE-02, B6-ROLE-05
  it('make a seller a dealer or a private seller', () => {
    expect(sellerRole(buildOwner({ privateSeller: true }))).toBe('private');
    expect(sellerRole(buildOwner({ privateSeller: false }))).toBe('dealer');
    expect(sellerRole(undefined)).toBeUndefined();
  });

  // rows: B6-ROLE-01, B6-ROLE-02
  it('make a person a visitor or a logged-in user, and a crawler a bot', () => {
    expect(visitorRole({ signedIn: false, isBot: false })).toBe('visitor');
    expect(visitorRole({ signedIn: true, isBot: false })).toBe('loggedIn');
    expect(visitorRole({ signedIn: false, isBot: true })).toBe('bot');
  });

  // rows: A6-ROLE-06, B6-ROLE-06
  it('are the only permissions: a call is anybody’s, a visitor’s or an account’s', () => {
    const callers = Object.values<CallDefinition>(CALLS).map(({ caller }) => caller ?? 'anybody');
    expect([...new Set(callers)].sort()).toEqual(['account', 'anybody', 'visitor']);
  });
});
