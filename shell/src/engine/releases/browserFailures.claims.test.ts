import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createFailureClaims } from './browserFailures.ts';

const SECRET = 'a secret of thirty-two characters';
const VISITOR = randomUUID();
const VIEW = { id: 'request-1', releases: ['mfe-filters@1.2.3', 'mfe-results@1.4.0-rc.1'] };

function rig(secret = SECRET) {
  const clock = { now: 1_800_000_000_000 };
  return { clock, claims: createFailureClaims(secret, () => clock.now) };
}

describe('the claim of a page view', () => {
  it('names the page view and its releases on every replica with the same secret', () => {
    const claim = rig().claims.sign(VIEW, VISITOR);
    expect(rig().claims.read(claim, VISITOR)).toEqual({ view: VIEW });
    expect(rig('another secret of 32 characters!!').claims.read(claim, VISITOR)).toEqual({
      refusal: 'forged',
    });
  });

  it('is empty when no release is compared, and an empty claim is unsigned', () => {
    const { claims } = rig();
    expect(claims.sign({ id: 'request-1', releases: [] }, VISITOR)).toBe('');
    expect(claims.read('', VISITOR)).toEqual({ refusal: 'unsigned' });
  });

  it('expires after 30 minutes', () => {
    const { claims, clock } = rig();
    const claim = claims.sign(VIEW, VISITOR);
    clock.now += 30 * 60_000 - 1;
    expect(claims.read(claim, VISITOR)).toEqual({ view: VIEW });
    clock.now += 1;
    expect(claims.read(claim, VISITOR)).toEqual({ refusal: 'expired' });
  });

  it('is valid for its own visitor only, whatever the visitor id contains', () => {
    const { claims } = rig();
    const claim = claims.sign(VIEW, VISITOR);
    expect(claims.read(claim, randomUUID())).toEqual({ refusal: 'forged' });
    const [expires, id, releases, signature] = claim.split(' ');
    // Shifts the last field into the visitor.
    const shifted = [expires, id, signature].join(' ');
    expect(claims.read(shifted, `${releases} ${VISITOR}`)).toEqual({ refusal: 'forged' });
  });

  it('can be put into JSON and HTML as it is', () => {
    expect(rig().claims.sign(VIEW, VISITOR)).toMatch(/^[A-Za-z0-9_@., -]+$/);
  });

  it('is forged with any one character changed, added or removed', () => {
    const { claims } = rig();
    const claim = claims.sign(VIEW, VISITOR);
    fc.assert(
      fc.property(
        fc.nat(claim.length),
        fc.nat(1),
        fc.constantFrom('', ...'Aa01_-., @='),
        (at, removed, added) => {
          const changed = claim.slice(0, at) + added + claim.slice(at + removed);
          fc.pre(changed !== claim);
          expect(claims.read(changed, VISITOR)).toEqual({ refusal: 'forged' });
        },
      ),
    );
  });
});
