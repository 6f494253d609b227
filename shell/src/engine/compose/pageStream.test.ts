import { describe, expect, it } from '@jest/globals';
import { createPageStream, type PageStream } from './pageStream.ts';

async function textOf(log: PageStream): Promise<string> {
  let text = '';
  for await (const { bytes } of log.read()) text += bytes.toString();
  return text;
}

describe('page log with several readers', () => {
  it('is the same for each reader', async () => {
    const log = createPageStream();
    const early = textOf(log);
    log.write('<style>a{}</style>');
    const middle = textOf(log);
    log.write(Buffer.from('<p>Zoë</p>'));
    expect(log.whole()).toBeUndefined();
    log.end();
    const expected = '<style>a{}</style><p>Zoë</p>';
    expect(await Promise.all([early, middle, textOf(log)])).toEqual([expected, expected, expected]);
    expect(log.whole()?.toString()).toBe(expected);
    expect(await textOf(log)).toBe(expected);
  });

  it('keeps the position of readers while its parts are joined', async () => {
    const log = createPageStream();
    log.write('a');
    const reading = log.read();
    const next = async () => (await reading.next()).value?.bytes.toString();
    expect(await next()).toBe('a');
    log.write('b');
    log.end();
    log.whole();
    expect(await next()).toBe('b');
    expect((await reading.next()).done).toBe(true);
  });

  it('counts its bytes', () => {
    const log = createPageStream();
    log.write('éb');
    expect(log.size()).toBe(3);
  });

  it('ends for an aborted reader only', async () => {
    const log = createPageStream();
    const leaving = new AbortController();
    const stays = textOf(log);
    const leaves = log.read(leaving.signal).next();
    leaving.abort();
    expect((await leaves).done).toBe(true);
    log.write('a');
    log.end();
    expect(await stays).toBe('a');
  });

  it('fails for all readers after the written parts', async () => {
    const log = createPageStream();
    log.write('a');
    log.fail(new Error('cut'));
    await expect(textOf(log)).rejects.toThrow('cut');
    await expect(log.done).rejects.toThrow('cut');
    expect(log.whole()).toBeUndefined();
  });
});
