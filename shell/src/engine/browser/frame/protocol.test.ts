import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseFrameMessage as parse, type FrameMessage } from './protocol.ts';

const parseFrameMessage = (data: unknown) => parse(data, ['page.announced', 'toast.shown']);

const VALID: readonly FrameMessage[] = [
  { kind: 'ready' },
  { kind: 'size', height: 120 },
  { kind: 'emit', type: 'page.announced', payload: { message: 'x' } },
  { kind: 'listen', type: 'toast.shown' },
  { kind: 'call', id: 1, name: 'author', params: { name: 'Austen' } },
  { kind: 'call', id: 2, name: 'saveDeal', params: {}, body: { a: 1 }, idempotencyKey: 'key-0001' },
  { kind: 'abort', id: 1 },
  { kind: 'follow', url: '/library/novels', isNewTab: false },
  { kind: 'error', phase: 'render', message: 'broken' },
];

it.each(VALID)('accepts the message %j', (message) => {
  expect(parseFrameMessage(JSON.stringify(message))).toEqual(message);
});

it.each([
  ['an object', { kind: 'ready' }],
  ['no JSON', '{'],
  ['no object', '"ready"'],
  ['null', 'null'],
  ['a list', '[]'],
  ['an unknown kind', '{"kind":"state"}'],
  ['a kind that every object has', '{"kind":"constructor"}'],
  ['a kind of the prototype', '{"__proto__":{"kind":"ready"}}'],
  ['another field', '{"kind":"ready","more":1}'],
  ['a missing field', '{"kind":"size"}'],
  ['a negative height', '{"kind":"size","height":-1}'],
  ['an infinite height', '{"kind":"size","height":1e999}'],
  ['an unknown event', '{"kind":"emit","type":"toString","payload":{}}'],
  ['a path in the name of a call', '{"kind":"call","id":1,"name":"../search","params":{}}'],
  ['a query in the name of a call', '{"kind":"call","id":1,"name":"ad?x=1","params":{}}'],
  ['a parameter that is no text', '{"kind":"call","id":1,"name":"ad","params":{"a":{}}}'],
  [
    'a line break in a header',
    '{"kind":"call","id":1,"name":"ad","params":{},"idempotencyKey":"key-0001\\n"}',
  ],
  ['more than 64 KB', JSON.stringify({ kind: 'emit', type: 'page.announced', payload: 'x'.repeat(65_536) })],
])('rejects %s', (_, data) => {
  expect(parseFrameMessage(data)).toBeUndefined();
});

it('returns exactly what was sent, or nothing, for any text', () => {
  const values = fc.jsonValue();
  const kinds = fc.constantFrom(...VALID.map(({ kind }) => kind), 'other');
  const messages = fc.record(
    { kind: kinds, id: values, type: values, name: values, params: values, height: values, url: values },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.oneof(messages, values).map((value) => JSON.stringify(value)),
      (data) => {
        const message = parseFrameMessage(data);
        if (message) expect(JSON.parse(data)).toEqual(message);
      },
    ),
  );
});
