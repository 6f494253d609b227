import { sliceState } from '@forecourt/slots/slices';
import { Duplex } from 'node:stream';
import { nextTick } from 'node:process';
import { describe, expect, it } from '@jest/globals';
import { marketplaceState } from '@forecourt/search/state';
import { buildState } from '@forecourt/search/testing';
import fc from 'fast-check';
import { createStateEncoder, StateReceiver, StateSender } from './stateEncoder.ts';
import { openChannel } from './channel.ts';

describe('the encoder of state slices', () => {
  it('writes what JSON.stringify writes, also for parts that it has encoded before', () => {
    const state = buildState();
    const names = [
      'page',
      'session',
      ...Object.keys(state.search).map((name) => `search.${name}`),
      'unknown',
    ];
    const { encode } = createStateEncoder();
    fc.assert(
      fc.property(fc.subarray(names), (needs) => {
        const slice = sliceState(marketplaceState, state, needs);
        expect(JSON.parse(Buffer.concat(encode(slice)).toString())).toEqual(
          JSON.parse(JSON.stringify(slice)),
        );
      }),
    );
  });

  it('leaves out members that are undefined', () => {
    const { encode } = createStateEncoder();
    const text = (slice: object) => Buffer.concat(encode(slice as never)).toString();
    expect(text({ page: undefined, search: { url: '/x', notice: undefined } })).toBe(
      '{"search":{"url":"/x"}}',
    );
    expect(text({})).toBe('{}');
    expect(text({ page: undefined, search: {} })).toBe('{"search":{}}');
  });

  it('encodes a large part once, for all slices that have it', () => {
    const { encode } = createStateEncoder();
    const listings = Array.from({ length: 500 }, (_, id) => ({ id, title: 'Š' }));
    const pieces = encode({ search: { listings } } as never);
    expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify({ search: { listings } }));
    const large = pieces.find(({ length }) => length > 5_000);
    expect(encode({ page: {}, search: { listings, url: '/x' } } as never)).toContain(large);
  });
});

describe('states sent to one process', () => {
  /** What the process reads, and the bytes that were sent. */
  function connect() {
    const sender = new StateSender(createStateEncoder());
    const receiver = new StateReceiver();
    return (state: object) => {
      const { parts, body } = sender.write(state as never);
      const sent = Buffer.concat(body);
      const message = JSON.parse(JSON.stringify(parts)) as typeof parts;
      return { bytes: sent.length, read: receiver.read(message, sent) };
    };
  }
  const largePart = (id: number) => ({ id, title: 'Š'.repeat(5_000) });

  it('arrive as they were, whichever parts they share with those before', () => {
    const parts = Array.from({ length: 12 }, (_, id) => (id % 3 === 0 ? { id } : largePart(id)));
    const state = fc.record({
      session: fc.constant({ zip: '60601' }),
      search: fc.dictionary(
        fc.constantFrom('listings', 'filters', 'owners', 'url'),
        fc.constantFrom(...parts),
      ),
    });
    fc.assert(
      fc.property(fc.array(state, { maxLength: 20 }), (states) => {
        const send = connect();
        // All are sent before any is read, as when a process is busy.
        const read = states.map((one) => send(one).read);
        expect(read.map((one) => one())).toEqual(states);
      }),
    );
    expect(connect()({}).read()).toEqual({ search: {} });
  });

  it('have the bytes of a large part once for the slots of a page', () => {
    const send = connect();
    const filters = largePart(1);
    const first = send({ search: { filters, url: '/a' } });
    const second = send({ search: { filters, chips: [] } });
    expect(first.bytes).toBeGreaterThan(10_000);
    expect(second.bytes).toBeLessThan(100);
    expect((second.read() as { search: object }).search).toEqual({ filters, chips: [] });
    // Its bytes come again when many other parts were sent since.
    for (let id = 2; id < 20; id += 1) send({ search: { filters: largePart(id) } });
    expect(send({ search: { filters } }).bytes).toBeGreaterThan(10_000);
  });
});

describe('a channel', () => {
  /** A channel, and the number of frames of each write to its pipe. */
  function recorded() {
    const writes: number[] = [];
    const pipe = new Duplex({
      read() {},
      writev(chunks, done) {
        // Two lengths and a header each.
        writes.push(chunks.length / 2);
        done();
      },
    });
    const reader = { maxHeaderBytes: 100, maxBodyBytes: 0, receive() {}, broken() {} };
    return { channel: openChannel<object>(pipe, reader), writes };
  }

  it('writes the messages of one turn together', async () => {
    const { channel, writes } = recorded();
    channel.send({ a: 1 });
    await Promise.resolve();
    channel.send({ b: 2 });
    expect(writes).toEqual([]);
    await new Promise(nextTick);
    expect(writes).toEqual([2]);
    channel.send({ c: 3 });
    await new Promise(nextTick);
    expect(writes).toEqual([2, 1]);
  });

  it('writes what was sent at once when it is flushed', async () => {
    const { channel, writes } = recorded();
    channel.send({ a: 1 });
    channel.send({ b: 2 });
    channel.flush();
    expect(writes).toEqual([2]);
    await new Promise(nextTick);
    channel.send({ c: 3 });
    await new Promise(nextTick);
    expect(writes).toEqual([2, 1]);
  });
});
