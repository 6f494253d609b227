import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Call } from '@forecourt/slots';
import type { KeyValueStore } from '../storage/webStorage.ts';
import { createDelivery, outcomeOf, outcomeOfResponse, type Outcome } from './delivery.ts';
import { createOutbox, type PendingLead } from './outbox.ts';

const DAY_MS = 86_400_000;

function memory(): KeyValueStore {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}
const blockedStorage: KeyValueStore = {
  getItem: () => null,
  setItem: () => {
    throw new DOMException('full', 'QuotaExceededError');
  },
  removeItem: () => {},
};
const lead = (id: string, comments = 'hello') => ({
  id,
  call: 'emailOwner' as const,
  body: { comments, idempotencyKey: id },
  about: 'Your message',
  listingId: '1',
});

/** A fake upstream that deduplicates by key, and a fake clock. */
function setUp(
  respond: (attempt: number) => 'stored' | 'storedButLost' | 'down' | 'refused',
  storage = memory(),
) {
  let now = 1_000_000;
  let attempts = 0;
  const storedIds: string[] = [];
  const call = (async (_name: string, _params: unknown, { body }: { body: { idempotencyKey: string } }) => {
    attempts += 1;
    const result = respond(attempts);
    if (result === 'refused') throw Object.assign(new Error('refused'), { status: 404 });
    if (result !== 'down' && !storedIds.includes(body.idempotencyKey)) storedIds.push(body.idempotencyKey);
    if (result !== 'stored') throw Object.assign(new Error('no response'), { status: 502 });
    return { status: 'SUCCESS' };
  }) as unknown as Call;
  const open = () => {
    const outbox = createOutbox(storage, () => now);
    const delivery = createDelivery({ outbox, call });
    const lateOutcomes: [PendingLead, Outcome][] = [];
    delivery.onLateOutcome((...outcome) => lateOutcomes.push(outcome));
    return { outbox, delivery, late: lateOutcomes };
  };
  return { open, stored: storedIds, attempts: () => attempts, wait: (ms: number) => (now += ms) };
}

describe('lead delivery', () => {
  it('stores each lead exactly once across failures and reloads', async () => {
    const kinds = fc.constantFrom('stored', 'storedButLost', 'down' as const);
    await fc.assert(
      fc.asyncProperty(
        fc.array(kinds, { maxLength: 12 }),
        fc.uniqueArray(fc.stringMatching(/^[0-9a-f]{8}$/), { minLength: 1, maxLength: 4 }),
        async (script, ids) => {
          const { open, stored, wait } = setUp((attempt) => script[attempt - 1] ?? 'stored');
          let tab = open();
          for (const id of ids) await tab.delivery.send(lead(id));
          for (let round = 0; round < 30; round += 1) {
            wait(300_000);
            tab = open();
            await tab.delivery.sendDue();
          }
          expect([...stored].sort()).toEqual([...ids].sort());
          expect(tab.outbox.all()).toEqual([]);
        },
      ),
    );
  });

  it('stores a lead before sending it and removes it once the upstream has stored it', async () => {
    const { open } = setUp(() => 'stored');
    const { outbox, delivery } = open();
    const delivered = delivery.send(lead('a'));
    expect(outbox.all().map(({ id }) => id)).toEqual(['a']);
    expect(await delivered).toBe('sent');
    expect(outbox.all()).toEqual([]);
  });

  it('joins an attempt in flight', async () => {
    const { open, attempts } = setUp(() => 'stored');
    const { delivery } = open();
    const outcomes = await Promise.all([
      delivery.send(lead('a')),
      delivery.send(lead('a')),
      delivery.sendDue(),
    ]);
    expect(outcomes.slice(0, 2)).toEqual(['sent', 'sent']);
    expect(attempts()).toBe(1);
  });

  it('backs off after each failure and notifies listeners of late deliveries', async () => {
    const { open, attempts, wait } = setUp((attempt) => (attempt < 3 ? 'down' : 'stored'));
    const { delivery, late } = open();
    expect(await delivery.send(lead('a'))).toBe('unreachable');
    await delivery.sendDue();
    expect(attempts()).toBe(1);
    wait(5_000);
    await delivery.sendDue();
    wait(5_000);
    await delivery.sendDue();
    expect(attempts()).toBe(2);
    wait(10_000);
    await delivery.sendDue();
    expect(late.map(([{ id }, outcome]) => [id, outcome])).toEqual([
      ['a', 'unreachable'],
      ['a', 'sent'],
    ]);
  });

  it('ignores the backoff when the network is back', async () => {
    const { open, stored } = setUp((attempt) => (attempt === 1 ? 'down' : 'stored'));
    const { delivery } = open();
    await delivery.send(lead('a'));
    await delivery.sendDue();
    expect(stored).toEqual([]);
    await delivery.sendAll();
    expect(stored).toEqual(['a']);
  });

  it('discards refused leads and leads older than a week', async () => {
    const refusingDelivery = setUp(() => 'refused').open();
    expect(await refusingDelivery.delivery.send(lead('a'))).toBe('refused');
    expect(refusingDelivery.outbox.all()).toEqual([]);

    const { open, wait } = setUp(() => 'down');
    const { outbox, delivery, late } = open();
    await delivery.send(lead('b'));
    wait(7 * DAY_MS + 1);
    await delivery.sendDue();
    expect(outbox.all()).toEqual([]);
    expect(late.at(-1)?.[1]).toBe('refused');
  });

  it('delivers from memory when storage is blocked', async () => {
    const { open, stored, wait } = setUp((attempt) => (attempt === 1 ? 'down' : 'stored'), blockedStorage);
    const { delivery } = open();
    await delivery.send(lead('a'));
    wait(5_000);
    await delivery.sendDue();
    expect(stored).toEqual(['a']);
  });

  it('finds a duplicate lead, and the pending lead about a listing', async () => {
    const { open } = setUp(() => 'down');
    const { delivery } = open();
    await delivery.send(lead('a', 'text'));
    expect(delivery.findDuplicateKey('emailOwner', { idempotencyKey: 'other', comments: 'text' })).toBe('a');
    expect(delivery.findDuplicateKey('emailOwner', { comments: 'other text' })).toBeUndefined();
    expect(delivery.findDuplicateKey('makeOffer', { comments: 'text' })).toBeUndefined();
    expect(delivery.findPendingKey('emailOwner', '1')).toBe('a');
    delivery.discard('a');
    expect(delivery.findPendingKey('emailOwner', '1')).toBeUndefined();
  });

  it('ignores invalid stored data', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const storage = memory();
        storage.setItem('leadOutbox', text);
        expect(() => createOutbox(storage).all()).not.toThrow();
      }),
    );
  });
});

it.each<[number | undefined, Outcome]>([
  [0, 'unreachable'],
  [502, 'unreachable'],
  [429, 'unreachable'],
  [undefined, 'unreachable'],
  [400, 'refused'],
  [404, 'refused'],
])('maps status %s to %s', (status, outcome) => {
  expect(outcomeOf(Object.assign(new Error('failed'), { status }))).toBe(outcome);
});

it.each<[unknown, Outcome]>([
  [null, 'sent'],
  [{ status: 'SUCCESS' }, 'sent'],
  [{ id: '7', carId: '1' }, 'sent'],
  [{ status: 'FAILURE' }, 'unreachable'],
  [{ error: 'Request failed' }, 'unreachable'],
])('maps response %j to %s', (response, outcome) => expect(outcomeOfResponse(response)).toBe(outcome));
