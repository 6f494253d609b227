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
        const unlisted: object = { note: text };
        log.info({ reason: text, address: text, ...unlisted }, message);
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

describe('the fields of a line', () => {
  it('are checked by the types, so that none vanishes', () => {
    const log = createLog('test', { level: 'info', destination: { write: () => {} } });
    log.info({ reason: 'a listed field' }, 'fine');
    // @ts-expect-error -- a field that is not on the list
    log.info({ reasons: 'a field that nobody listed' }, 'refused');
    const event = { event: 'adopted', weight: 5 };
    // @ts-expect-error -- the same from a variable
    log.info(event, 'refused');
  });

  it('of imports are written', () => {
    const lines: string[] = [];
    const log = createLog('test', { level: 'info', destination: { write: (line) => void lines.push(line) } });
    log.warn({ feed: 'cars', exitStatus: 1 }, 'feed imported');
    expect(JSON.parse(lines[0]!)).toMatchObject({ feed: 'cars', exitStatus: 1, msg: 'feed imported' });
  });
});
