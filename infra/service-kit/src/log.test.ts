import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLog } from './log.ts';

const hostile = fc.string({
  unit: fc.constantFrom('\r', '\n', '\u2028', '\u001b[2K', '"', '\\', '{', '}', '","level":"fatal', 'x'),
});

describe('a log line', () => {
  it('stays one JSON object on one line, whatever its fields and message contain', () => {
    fc.assert(
      fc.property(hostile, hostile, (text, message) => {
        const lines: string[] = [];
        const log = createLog('test', {
          level: 'info',
          destination: { write: (line) => void lines.push(line) },
        });
        log.info({ reason: text, address: text, note: text }, message);
        expect(lines).toHaveLength(1);
        expect(lines[0]).toMatch(/^[^\r\n]+\n$/);
        expect(lines[0]).not.toContain('\u001b');
        const { level, service, reason, address, note, msg } = JSON.parse(lines[0]!) as Record<
          string,
          unknown
        >;
        expect([level, service, reason, address, msg]).toEqual([30, 'test', text, text, message]);
        // Not among the fields that may be logged.
        expect(note).toBeUndefined();
      }),
    );
  });
});
