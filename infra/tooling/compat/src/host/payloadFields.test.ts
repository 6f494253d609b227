import { readFileSync } from 'node:fs';
import { EVENT_SCHEMAS } from '@forecourt/search/events';
import { describe, expect, it } from '@jest/globals';
import { probeShape } from './readFacts.ts';
import { payloadFields } from './payloadFields.ts';

const FILE = new URL('../../../../../shared-contracts/search/asyncapi.json', import.meta.url);
const { components } = JSON.parse(readFileSync(FILE, 'utf8')) as {
  components: { messages: Record<string, { payload: object }> };
};

describe('payloadFields', () => {
  // Otherwise a comparison with a tree without schemas would find differences.
  it.each(Object.entries(EVENT_SCHEMAS))('reads of the schema of %s what its messages say', (name, shape) => {
    expect(payloadFields(components.messages[name]!.payload)).toEqual(
      probeShape(shape as (value: unknown) => unknown),
    );
  });
});
