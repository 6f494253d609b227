import { describe, expect, it } from '@jest/globals';
import { EVENT_SCHEMAS } from '@forecourt/search/events';
import { probeShape } from './readFacts.ts';

describe('probeShape', () => {
  it('finds required, optional, nested and list fields of a schema', () => {
    expect(probeShape(EVENT_SCHEMAS['session.changed'])).toEqual({
      signedIn: { expected: 'true or false', isRequired: true },
      account: { expected: 'an object', isRequired: false },
      'account.firstName': { expected: 'text of 0 to 2000 characters', isRequired: true },
      'account.email': { expected: 'text of 0 to 2000 characters', isRequired: true },
      savedListingIds: { expected: 'a list of 1000 at most', isRequired: false },
      'savedListingIds[]': { expected: 'text of 1 to 64 characters', isRequired: true },
      savedSearchCount: { expected: 'a whole number', isRequired: false },
    });
  });

  it('reads every event of the contract', () => {
    for (const [event, shape] of Object.entries(EVENT_SCHEMAS))
      expect([event, probeShape(shape)]).toEqual([event, expect.any(Object)]);
    expect(probeShape(EVENT_SCHEMAS['search.moreRequested'])).toEqual({});
    expect(probeShape(EVENT_SCHEMAS['search.changeRequested'])).toMatchObject({
      'criteria.numRecords': { expected: 'a whole number', isRequired: true },
      history: { expected: 'push or replace', isRequired: false },
    });
  });

  it('returns undefined for other error messages', () => {
    const foreign = () => {
      throw new Error('invalid_type');
    };
    const endless = () => {
      throw new Error('a: expected something else each time');
    };
    expect(probeShape(foreign)).toBeUndefined();
    expect(probeShape(endless)).toBeUndefined();
  });
});
