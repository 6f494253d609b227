import { describe, expect, it } from '@jest/globals';
import { EVENT_SCHEMAS } from '@forecourt/shared-contracts/events';
import { probeShape } from './probeShape.ts';

describe('the fields of an event', () => {
  it('are read out of its shape: required, optional, nested and in lists', () => {
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

  it('can be read of every event that there is', () => {
    for (const [event, shape] of Object.entries(EVENT_SCHEMAS))
      expect([event, probeShape(shape)]).toEqual([event, expect.any(Object)]);
    expect(probeShape(EVENT_SCHEMAS['search.moreRequested'])).toEqual({});
    expect(probeShape(EVENT_SCHEMAS['search.changeRequested'])).toMatchObject({
      'criteria.numRecords': { expected: 'a whole number', isRequired: true },
      history: { expected: 'push or replace', isRequired: false },
    });
  });

  it('are not guessed where a shape speaks other words', () => {
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
