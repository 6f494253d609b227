import { describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { openChannel } from './channel.ts';
import { MESSAGE_LIMITS } from './protocol.ts';

/** Sends one header from a release to the shell. */
function send(header: unknown): { received: unknown[]; broken: string[] } {
  const pipe = new PassThrough();
  const received: unknown[] = [];
  const broken: string[] = [];
  openChannel(pipe, {
    ...MESSAGE_LIMITS,
    receive: (message) => received.push(message),
    broken: (reason) => broken.push(reason),
  });
  const json = Buffer.from(JSON.stringify(header));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(json.length, 0);
  pipe.emit('data', Buffer.concat([lengths, json]));
  return { received, broken };
}

describe('a header from a release', () => {
  it.each([
    [
      'the data of 100 items',
      { data: Array.from({ length: 100 }, (_, id) => ({ id, name: 'x', price: 1, tags: ['a', 'b'] })) },
    ],
    ['a long text', { data: 'x'.repeat(900_000) }],
  ])('is parsed with %s', (_, header) => {
    expect(send(header)).toEqual({ received: [header], broken: [] });
  });

  it.each([
    ['many nested arrays', { data: Array.from({ length: 20_000 }, () => []) }],
    ['many members', { data: Object.fromEntries(Array.from({ length: 20_001 }, (_, key) => [key, 0])) }],
  ])('is not parsed with %s, because that would hold up other pages', (_, header) => {
    expect(send(header)).toEqual({ received: [], broken: ['a header with more than 20000 values'] });
  });

  it('is not read when it is longer than a megabyte', () => {
    expect(send({ data: 'x'.repeat(1024 * 1024) }).broken).toEqual([
      expect.stringMatching(/^a message of \d+ bytes$/),
    ]);
  });
});
