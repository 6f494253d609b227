import { describe, expect, it } from '@jest/globals';
import type { EventField } from '../host/payloadFields.ts';
import { eventDifferences } from './differences.ts';

type Fields = Readonly<Record<string, EventField>>;

const field = (expected: string): EventField => ({ expected, isRequired: true });
const optional = (expected: string): EventField => ({ expected, isRequired: false });
const FLAG = 'true or false';
/** One event, with its fields in the older and in the newer tree. */
const compare = (older: Fields, newer: Fields) => eventDifferences({ 'a.b': older }, { 'a.b': newer });

describe('eventDifferences', () => {
  it.each<[string, Fields, Fields, string]>([
    ['is removed', { id: field(FLAG) }, {}, 'id is gone'],
    ['inside another is removed', { 'id.x': field(FLAG) }, {}, 'id.x is gone'],
    ['is added as required', {}, { id: field(FLAG) }, 'id must be given'],
    ['becomes required', { id: optional(FLAG) }, { id: field(FLAG) }, 'id must be given'],
    ['becomes optional', { id: field(FLAG) }, { id: optional(FLAG) }, 'id may be missing'],
    [
      'has another type',
      { id: field(FLAG) },
      { id: field('a whole number') },
      'id was true or false, is a whole number',
    ],
    ['loses a choice', { id: field('x or y') }, { id: field('x') }, 'id was x or y, is x'],
  ])('reports a breaking change when a field %s', (_, older, newer, text) => {
    expect(compare(older, newer)).toEqual({ breaking: [`event a.b: ${text}`], added: [] });
  });

  it('reports optional fields and choices as additions', () => {
    expect(compare({ kind: field('x or y') }, { kind: field('x or y or z'), id: optional(FLAG) })).toEqual({
      breaking: [],
      added: ['event a.b: kind may be x or y or z', 'event a.b: id is new'],
    });
  });

  it('ignores changed bounds of a field', () => {
    expect(
      compare({ text: field('text of 1 to 64 characters') }, { text: field('text of 1 to 100 characters') }),
    ).toEqual({ breaking: [], added: [] });
  });

  it('ignores events that one side cannot read', () => {
    const older = { 'a.b': { id: field(FLAG) } };
    expect(eventDifferences(older, {})).toEqual({ breaking: [], added: [] });
    expect(eventDifferences({}, older)).toEqual({ breaking: [], added: [] });
  });
});
