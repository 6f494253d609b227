import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_SCHEMAS } from '@forecourt/search/events';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import fc from 'fast-check';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema | readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: { readonly enum: readonly string[] };
  readonly additionalProperties?: Schema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
}
interface AsyncApi {
  readonly asyncapi: string;
  readonly channels: Readonly<
    Record<string, { readonly messages: Readonly<Record<string, { readonly $ref: string }>> }>
  >;
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly summary?: string; readonly payload: Schema }>>;
  };
}

const FILE = new URL('../../../../../shared-contracts/search/asyncapi.json', import.meta.url);
const document = JSON.parse(readFileSync(FILE, 'utf8')) as AsyncApi;
const { messages } = document.components;

/** Values as a schema allows them, and sometimes others. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const { type, items, minimum = 0, maximum = 0, minLength = 0, maxLength = 0 } = schema;
  const beyond = (arbitrary: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 30, arbitrary }, { weight: 1, arbitrary: fc.jsonValue() });
  if (schema.enum) return beyond(fc.constantFrom(...schema.enum));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf));
  if (type === 'boolean') return beyond(fc.boolean());
  if (type === 'integer' || type === 'number')
    return beyond(
      fc.oneof(
        fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1),
        fc.integer({ min: minimum, max: maximum }),
      ),
    );
  if (type === 'string')
    return beyond(
      fc
        .constantFrom(minLength, minLength - 1, minLength + 1, maxLength, maxLength + 1)
        .map((length) => 'x'.repeat(Math.max(0, length))),
    );
  if (Array.isArray(items)) return beyond(fc.tuple(...(items as readonly Schema[]).map(valuesOf)));
  if (type === 'array') return beyond(fc.array(valuesOf(items as Schema), { maxLength: 3 }));
  if (schema.propertyNames)
    return beyond(
      fc.dictionary(
        fc.constantFrom(...schema.propertyNames.enum.slice(0, 4), 'other'),
        valuesOf(schema.additionalProperties ?? {}),
        { maxKeys: 2 },
      ),
    );
  const fields = Object.entries(schema.properties ?? {});
  return beyond(
    fc.record(Object.fromEntries(fields.map(([name, one]) => [name, valuesOf(one)])), {
      // Senders may leave out any field, now and then a required one.
      requiredKeys: (schema.required ?? []).slice(1) as string[],
    }),
  );
}

const accepts = (name: string, payload: unknown): boolean => {
  try {
    EVENT_SCHEMAS[name as keyof typeof EVENT_SCHEMAS](payload);
    return true;
  } catch {
    return false;
  }
};

describe('the AsyncAPI document of the events', () => {
  it('is what the sources of the events describe', () => {
    const program = join(import.meta.dirname, 'asyncApi.ts');
    expect(() => execFileSync(process.execPath, [program, '--check'], { stdio: 'pipe' })).not.toThrow();
  });

  it('has a channel and a message for each event', () => {
    expect(document.asyncapi).toBe('3.0.0');
    expect(Object.keys(messages)).toEqual(Object.keys(EVENT_SCHEMAS).toSorted());
    expect(Object.keys(document.channels)).toEqual(Object.keys(messages));
    for (const [name, channel] of Object.entries(document.channels))
      expect(channel.messages).toEqual({ [name]: { $ref: `#/components/messages/${name}` } });
    expect(messages['search.changeRequested']?.summary).toMatch(/^Intent: search with these criteria\./);
  });

  it.each(Object.keys(messages))('says of payloads of %s what the bus says', (name) => {
    const { payload } = messages[name]!;
    const validate = new Ajv({ strict: false }).compile(payload);
    const verdicts = new Set<boolean>();
    fc.assert(
      fc.property(valuesOf(payload), (value) => {
        // As it is sent, without what JSON cannot say.
        const sent: unknown = JSON.parse(JSON.stringify(value));
        const isValid = validate(sent);
        verdicts.add(isValid);
        expect(accepts(name, sent)).toBe(isValid);
      }),
      { numRuns: 300 },
    );
    expect(verdicts.has(false)).toBe(true);
  });
});
