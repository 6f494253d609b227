import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  FAILURE_CLAIM,
  filled,
  NONCE,
  REQUEST_ID,
  type PagePart,
  createPageLog,
  type PageLog,
} from './pageLog.ts';

const STAY = new AbortController().signal;
const fills = (name: string) => ({
  nonce: `nonce-of-${name}`,
  requestId: `request-of-${name}`,
  failureClaim: `claim-of-${name}`,
});

async function textOf(log: PageLog, name: string): Promise<string> {
  let text = '';
  for await (const { html } of log.read(fills(name), STAY)) text += html.toString();
  return text;
}

describe('page log with several readers', () => {
  it('is the same for each reader except the placeholders', async () => {
    const log = createPageLog();
    const early = textOf(log, 'early');
    log.write(filled`<style nonce="${NONCE}">a{}</style>`);
    const middle = textOf(log, 'middle');
    log.write(
      filled`<p>${'Zoë'}</p><script nonce="${NONCE}">{"requestId":"${REQUEST_ID}","failureClaim":"${FAILURE_CLAIM}"}</script>`,
    );
    log.end();
    const expected = (name: string) =>
      `<style nonce="nonce-of-${name}">a{}</style><p>Zoë</p><script nonce="nonce-of-${name}">{"requestId":"request-of-${name}","failureClaim":"claim-of-${name}"}</script>`;
    expect(await early).toBe(expected('early'));
    expect(await middle).toBe(expected('middle'));
    expect(await textOf(log, 'late')).toBe(expected('late'));
    log.compact();
    expect(await textOf(log, 'kept')).toBe(expected('kept'));
  });

  it('never mistakes text for a placeholder', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('Symbol(nonce)', '${NONCE}', '</script>'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(text, fc.constantFrom<PagePart>(NONCE, REQUEST_ID, FAILURE_CLAIM))),
        fc.boolean(),
        async (parts, isCompact) => {
          const log = createPageLog();
          for (const part of parts) log.write([part]);
          log.end();
          if (isCompact) log.compact();
          const { nonce, requestId, failureClaim } = fills('x');
          const values = { [NONCE]: nonce, [REQUEST_ID]: requestId, [FAILURE_CLAIM]: failureClaim };
          const expected = parts.map((part) => (typeof part === 'string' ? part : values[part]));
          expect(await textOf(log, 'x')).toBe(expected.map((part) => String(part).toWellFormed()).join(''));
        },
      ),
    );
  });

  it('keeps the position of readers while it is compacted', async () => {
    const log = createPageLog();
    log.write(['a']);
    const reading = log.read(fills('x'), STAY);
    expect((await reading.next()).value).toMatchObject({ html: 'a' });
    log.write(['b']);
    log.end();
    log.compact();
    expect((await reading.next()).value).toMatchObject({ html: 'b' });
    expect((await reading.next()).done).toBe(true);
  });

  it('counts its bytes', () => {
    const log = createPageLog();
    log.write(filled`é${NONCE}b`);
    expect(log.size()).toBe(3);
  });

  it('ends for an aborted reader only', async () => {
    const log = createPageLog();
    const leaving = new AbortController();
    const stays = textOf(log, 'x');
    const leaves = log.read(fills('y'), leaving.signal).next();
    leaving.abort();
    expect((await leaves).done).toBe(true);
    log.write(['a']);
    log.end();
    expect(await stays).toBe('a');
  });

  it('fails for all readers after the written parts', async () => {
    const log = createPageLog();
    log.write(['a']);
    log.fail(new Error('cut'));
    await expect(textOf(log, 'x')).rejects.toThrow('cut');
    await expect(log.done).rejects.toThrow('cut');
  });
});
