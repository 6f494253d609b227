import type { EventField } from '../host/probeShape.ts';

/** Event to its fields; an event whose fields cannot be read is missing. */
export type EventFields = Readonly<Record<string, Readonly<Record<string, EventField>>>>;

export interface EventDifferences {
  readonly breaking: readonly string[];
  readonly added: readonly string[];
}

/** Bounds may move within a version: who keeps to the narrower ones is understood by both sides. */
const kindOf = (expected: string): string => expected.replaceAll(/-?\d+(?:\.\d+)?/g, '#');
const choices = (expected: string): string[] => expected.split(' or ');

const isWiderChoice = (before: string, after: string): boolean =>
  choices(before).every((choice) => choices(after).includes(choice));

/**
 * Compares the fields of the events that both sides know. A remote sends and
 * hears events, so a field breaks it when it is gone, when it is asked for
 * though it was not, and when it may be missing though it was always there.
 */
export function eventDifferences(older: EventFields, newer: EventFields): EventDifferences {
  const breaking: string[] = [];
  const added: string[] = [];
  for (const [event, before] of Object.entries(older)) {
    const after = newer[event];
    if (!after) continue;
    for (const [path, field] of Object.entries(before)) {
      const name = `event ${event}: ${path}`;
      const now = after[path];
      if (!now) breaking.push(`${name} is gone`);
      else if (kindOf(field.expected) !== kindOf(now.expected)) {
        if (isWiderChoice(field.expected, now.expected)) added.push(`${name} may be ${now.expected}`);
        else breaking.push(`${name} was ${field.expected}, is ${now.expected}`);
      } else if (field.isRequired && !now.isRequired) breaking.push(`${name} may be missing`);
      else if (!field.isRequired && now.isRequired) breaking.push(`${name} must be given`);
    }
    for (const [path, { isRequired }] of Object.entries(after)) {
      if (before[path]) continue;
      if (isRequired) breaking.push(`event ${event}: ${path} must be given`);
      else added.push(`event ${event}: ${path} is new`);
    }
  }
  return { breaking, added };
}
