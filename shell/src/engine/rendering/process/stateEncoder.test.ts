import { sliceState } from '@forecourt/slots/slices';
import { Duplex } from 'node:stream';
import { nextTick } from 'node:process';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildLibraryState, libraryState } from '../../testing/libraryState.ts';
import { createStateEncoder, StateReceiver, StateSender } from './stateEncoder.ts';
import { openChannel } from './channel.ts';

const DIVIDED = ['shelf'];

describe('the encoder of state slices', () => {
  it('writes what JSON.stringify writes, also for parts that it has encoded before', () => {
    const state = buildLibraryState({ shelf: { entries: [{ isbn: '1', title: 'Lunch Poems' }] } });
    const names = [...libraryState.parts, 'unknown'];
    const { encode } = createStateEncoder(DIVIDED);
    fc.assert(
      fc.property(fc.subarray(names), (needs) => {
        const slice = sliceState(libraryState, state, needs);
        expect(JSON.parse(Buffer.concat(encode(slice as never)).toString())).toEqual(
          JSON.parse(JSON.stringify(slice)),
        );
      }),
    );
  });

  it('leaves out members that are undefined', () => {
    const { encode } = createStateEncoder(DIVIDED);
    const text = (slice: object) => Buffer.concat(encode(slice as never)).toString();
    expect(text({ page: undefined, shelf: { url: '/x', note: undefined } })).toBe('{"shelf":{"url":"/x"}}');
    expect(text({})).toBe('{}');
    expect(text({ page: undefined, shelf: {} })).toBe('{"shelf":{}}');
  });

  it('encodes a large part once, for all slices that have it', () => {
    const { encode } = createStateEncoder(DIVIDED);
    const entries = Array.from({ length: 500 }, (_, id) => ({ id, title: 'Š' }));
    const pieces = encode({ shelf: { entries } } as never);
    expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify({ shelf: { entries } }));
    const large = pieces.find(({ length }) => length > 5_000);
    expect(encode({ page: {}, shelf: { entries, url: '/x' } } as never)).toContain(large);
  });
});

describe('states sent to one process', () => {
  /** What the process reads, and the bytes that were sent. */
  function connect() {
    const sender = new StateSender(createStateEncoder(DIVIDED));
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
      session: fc.constant({ reader: 'Ada' }),
      shelf: fc.dictionary(fc.constantFrom('entries', 'filters', 'sort', 'url'), fc.constantFrom(...parts)),
    });
    fc.assert(
      fc.property(fc.array(state, { maxLength: 20 }), (states) => {
        const send = connect();
        // All are sent before any is read, as when a process is busy.
        const read = states.map((one) => send(one).read);
        expect(read.map((one) => one())).toEqual(states);
      }),
    );
    expect(connect()({}).read()).toEqual({});
    expect(connect()({ shelf: null }).read()).toEqual({ shelf: null });
  });

  it('have the bytes of a large part once for the slots of a page', () => {
    const send = connect();
    const filters = largePart(1);
    const first = send({ shelf: { filters, url: '/a' } });
    const second = send({ shelf: { filters, sort: [] } });
    expect(first.bytes).toBeGreaterThan(10_000);
    expect(second.bytes).toBeLessThan(100);
    expect((second.read() as { shelf: object }).shelf).toEqual({ filters, sort: [] });
    // Its bytes come again when many other parts were sent since.
    for (let id = 2; id < 20; id += 1) send({ shelf: { filters: largePart(id) } });
    expect(send({ shelf: { filters } }).bytes).toBeGreaterThan(10_000);
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
