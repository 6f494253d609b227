import { describe, expect, it } from '@jest/globals';
import type { EventField } from '../host/readFacts.ts';
import { eventDifferences } from './differences.ts';

type Fields = Readonly<Record<string, EventField>>;

const given = (expected: string): EventField => ({ expected, isRequired: true });
const optional = (expected: string): EventField => ({ expected, isRequired: false });
const FLAG = 'true or false';
/** One event, with its fields in the older and in the newer tree. */
const compare = (older: Fields, newer: Fields) => eventDifferences({ 'a.b': older }, { 'a.b': newer });

describe('eventDifferences', () => {
  it.each<[string, Fields, Fields, string]>([
    ['is gone', { id: given(FLAG) }, {}, 'id is gone'],
    ['inside another is gone', { 'id.x': given(FLAG) }, {}, 'id.x is gone'],
    ['is asked for', {}, { id: given(FLAG) }, 'id must be given'],
    ['is asked for, though it was not', { id: optional(FLAG) }, { id: given(FLAG) }, 'id must be given'],
    ['may be missing', { id: given(FLAG) }, { id: optional(FLAG) }, 'id may be missing'],
    [
      'has another type',
      { id: given(FLAG) },
      { id: given('a whole number') },
      'id was true or false, is a whole number',
    ],
    ['has one choice less', { id: given('x or y') }, { id: given('x') }, 'id was x or y, is x'],
  ])('reports a breaking change when a field %s', (_, older, newer, text) => {
    expect(compare(older, newer)).toEqual({ breaking: [`event a.b: ${text}`], added: [] });
  });

  it('reports optional fields and choices as additions', () => {
    expect(compare({ kind: given('x or y') }, { kind: given('x or y or z'), id: optional(FLAG) })).toEqual({
      breaking: [],
      added: ['event a.b: kind may be x or y or z', 'event a.b: id is new'],
    });
  });

  it('ignores moved bounds', () => {
    expect(
      compare({ text: given('text of 1 to 64 characters') }, { text: given('text of 1 to 100 characters') }),
    ).toEqual({ breaking: [], added: [] });
  });

  it('ignores events that one side cannot read', () => {
    const older = { 'a.b': { id: given(FLAG) } };
    expect(eventDifferences(older, {})).toEqual({ breaking: [], added: [] });
    expect(eventDifferences({}, older)).toEqual({ breaking: [], added: [] });
  });
});
