import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { emptyPointers, type PointerRecord } from '../ports.ts';
import {
  earlierVersions,
  hold,
  pointerOf,
  pointTo,
  promote,
  resume,
  rollBack,
  startCanary,
} from './pointerChanges.ts';

const now = new Date('2026-01-02T03:04:05Z');
const always = () => true;
const afterPromoting = (...versions: string[]): PointerRecord =>
  versions.reduce((record, version) => promote(record, 'sample', version, now), emptyPointers);

describe('pointer changes', () => {
  it("promotes the canary's version by default", () => {
    const canary = startCanary(afterPromoting('1.0.0'), 'sample', { version: '2.0.0', weight: 5 }, now);
    expect(pointerOf(canary, 'sample')).toEqual({ live: '1.0.0', canary: { version: '2.0.0', weight: 5 } });
    expect(pointerOf(promote(canary, 'sample', undefined, now), 'sample')).toEqual({ live: '2.0.0' });
  });

  it("changes a live canary's weight or version in a new revision", () => {
    const live = afterPromoting('1.0.0');
    const five = startCanary(live, 'sample', { version: '2.0.0', weight: 5 }, now);
    expect(startCanary(five, 'sample', { version: '2.0.0', weight: 5 }, now)).toBe(five);
    const ten = startCanary(five, 'sample', { version: '2.0.0', weight: 10 }, now);
    expect(ten.revision).toBe(five.revision + 1);
    expect(pointerOf(ten, 'sample')).toEqual({ live: '1.0.0', canary: { version: '2.0.0', weight: 10 } });
    const other = startCanary(ten, 'sample', { version: '3.0.0', weight: 10 }, now);
    expect(pointerOf(other, 'sample')).toEqual({ live: '1.0.0', canary: { version: '3.0.0', weight: 10 } });
    expect(other.history).toEqual(live.history);
  });

  it('ends the canary when its weight is 0', () => {
    const canary = startCanary(afterPromoting('1.0.0'), 'sample', { version: '2.0.0', weight: 5 }, now);
    const ended = startCanary(canary, 'sample', { version: '2.0.0', weight: 0 }, now);
    expect(pointerOf(ended, 'sample')).toEqual({ live: '1.0.0' });
    const least = startCanary(canary, 'sample', { version: '2.0.0', weight: 0.01 }, now);
    expect(pointerOf(least, 'sample')?.canary?.weight).toBe(0.01);
  });

  it('rejects a canary without a live release or of the live release, and a promotion without a canary', () => {
    const canary = { version: '1.0.0', weight: 5 };
    expect(() => startCanary(emptyPointers, 'sample', canary, now)).toThrow(
      expect.objectContaining({ code: 'NO_LIVE_RELEASE' }),
    );
    expect(() => startCanary(afterPromoting('1.0.0'), 'sample', canary, now)).toThrow(
      expect.objectContaining({ code: 'CANARY_IS_LIVE' }),
    );
    expect(() => promote(afterPromoting('1.0.0'), 'sample', undefined, now)).toThrow(
      expect.objectContaining({ code: 'NO_CANARY' }),
    );
  });

  it('rolls back one version each time, never forward', () => {
    const first = rollBack(afterPromoting('1.0.0', '2.0.0', '3.0.0'), 'sample', always);
    expect(pointerOf(first, 'sample')).toEqual({ live: '2.0.0' });
    const second = rollBack(first, 'sample', always);
    expect(pointerOf(second, 'sample')).toEqual({ live: '1.0.0' });
    expect(() => rollBack(second, 'sample', always)).toThrow(
      expect.objectContaining({ code: 'NO_PREVIOUS_RELEASE' }),
    );
    expect(() => rollBack(emptyPointers, 'sample', always)).toThrow(
      expect.objectContaining({ code: 'NO_PREVIOUS_RELEASE' }),
    );
  });

  it('never rolls back to the live version, even if it was live before', () => {
    const record = afterPromoting('1.0.0', '2.0.0', '1.0.0');
    expect(pointerOf(rollBack(record, 'sample', always), 'sample')).toEqual({ live: '2.0.0' });
    expect(() => rollBack(record, 'sample', (version) => version !== '2.0.0')).toThrow(
      expect.objectContaining({ code: 'NO_PREVIOUS_RELEASE' }),
    );
  });

  it('skips removed versions on rollback and ends the canary', () => {
    const record = startCanary(
      afterPromoting('1.0.0', '2.0.0', '3.0.0'),
      'sample',
      { version: '4.0.0', weight: 50 },
      now,
    );
    const back = rollBack(record, 'sample', (version) => version !== '2.0.0');
    expect(pointerOf(back, 'sample')).toEqual({ live: '1.0.0' });
  });

  it('remembers the last 50 versions that were live, and when each was replaced', () => {
    const versions = Array.from({ length: 52 }, (_, at) => `1.0.${at}`);
    const record = afterPromoting(...versions);
    expect(earlierVersions(record, 'sample')).toEqual(versions.slice(1, 51).toReversed());
    expect(record.history['sample']?.[0]).toEqual({ version: '1.0.1', replacedAt: now.toISOString() });
    expect(earlierVersions(record, 'other')).toEqual([]);
  });

  it('creates no revision when a change has no effect', () => {
    const record = afterPromoting('1.0.0');
    expect(promote(record, 'sample', '1.0.0', now)).toBe(record);
  });

  it('accepts remotes named like properties of Object', () => {
    expect(pointerOf(emptyPointers, 'constructor')).toBeUndefined();
    expect(pointerOf(pointTo(emptyPointers, 'constructor', { live: '1.0.0' }, now), 'constructor')).toEqual({
      live: '1.0.0',
    });
  });

  it('increments the revision with every change and leaves other remotes unchanged', () => {
    const change = fc.record({
      name: fc.constantFrom('a', 'b'),
      version: fc.constantFrom('1.0.0', '2.0.0', '3.0.0'),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 80 }), (changes) => {
        let record = emptyPointers;
        for (const { name, version } of changes) {
          const other = name === 'a' ? 'b' : 'a';
          const next = promote(record, name, version, now);
          expect(next.revision).toBe(next === record ? record.revision : record.revision + 1);
          expect(pointerOf(next, name)).toEqual({ live: version });
          expect(pointerOf(next, other)).toEqual(pointerOf(record, other));
          expect(earlierVersions(next, other)).toEqual(earlierVersions(record, other));
          record = next;
        }
      }),
    );
  });
});

describe('a held remote', () => {
  const withCanary = startCanary(
    afterPromoting('1.0.0', '2.0.0'),
    'sample',
    { version: '3.0.0', weight: 5 },
    now,
  );
  const held = hold(withCanary, 'sample', { by: 'ann', why: 'holiday' }, now);
  const refusal = (message: string) => expect.objectContaining({ code: 'REMOTE_HELD', message });

  it('says who holds it, since when and why, in a new revision that changes nothing else', () => {
    const { holds, revision, ...others } = held;
    expect(holds).toEqual({ sample: { by: 'ann', why: 'holiday', at: now.toISOString() } });
    expect(revision).toBe(withCanary.revision + 1);
    expect(withCanary).toEqual({ ...others, revision: withCanary.revision });
    expect(hold(withCanary, 'sample', { by: 'ann' }, now).holds).toStrictEqual({
      sample: { by: 'ann', at: now.toISOString() },
    });
  });

  it('refuses a promotion and another canary, with the reason', () => {
    for (const move of [
      () => promote(held, 'sample', '4.0.0', now),
      () => promote(held, 'sample', undefined, now),
      () => startCanary(held, 'sample', { version: '3.0.0', weight: 6 }, now),
      () => startCanary(held, 'sample', { version: '4.0.0', weight: 5 }, now),
    ])
      expect(move).toThrow(refusal('ann holds sample (holiday): resume it first'));
    expect(() => promote(hold(withCanary, 'sample', { by: 'bob' }, now), 'sample', '4.0.0', now)).toThrow(
      refusal('bob holds sample: resume it first'),
    );
  });

  it('goes back, ends its canary, and leaves other remotes free', () => {
    expect(pointerOf(rollBack(held, 'sample', always), 'sample')).toEqual({ live: '1.0.0' });
    const ended = startCanary(held, 'sample', { version: '3.0.0', weight: 0 }, now);
    expect(pointerOf(ended, 'sample')).toEqual({ live: '2.0.0' });
    expect(ended.holds).toEqual(held.holds);
    expect(pointerOf(promote(held, 'other', '1.0.0', now), 'other')).toEqual({ live: '1.0.0' });
    expect(startCanary(held, 'sample', { version: '3.0.0', weight: 5 }, now)).toBe(held);
  });

  it('is free after resuming, and other holds stay', () => {
    const both = hold(promote(held, 'other', '1.0.0', now), 'other', { by: 'bob' }, now);
    const resumed = resume(both, 'sample');
    expect(resumed.holds).toEqual({ other: { by: 'bob', at: now.toISOString() } });
    expect(resumed.revision).toBe(both.revision + 1);
    expect(resumed.remotes).toEqual(both.remotes);
    expect(pointerOf(promote(resumed, 'sample', undefined, now), 'sample')).toEqual({ live: '3.0.0' });
    expect(resume(resumed, 'sample')).toBe(resumed);
    expect(resume(emptyPointers, 'sample')).toBe(emptyPointers);
  });

  it('has been promoted once at least', () => {
    expect(() => hold(emptyPointers, 'sample', { by: 'ann' }, now)).toThrow(
      expect.objectContaining({ code: 'NO_LIVE_RELEASE' }),
    );
  });
});
