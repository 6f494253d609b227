import { describe, expect, it } from '@jest/globals';
import type { SlugData } from '@forecourt/search/criteria';
import { keepSlugReference } from './slugReference.ts';

const dataOf = (...names: readonly string[]): SlugData => ({
  makes: names.map((name) => ({ code: name.toUpperCase(), name, slug: name.toLowerCase(), models: [] })),
});

describe('the makes that paths name', () => {
  it('are looked for again when one is unknown, once for all who ask, and not again for seconds', async () => {
    let [time, calls] = [0, 0];
    let names = ['Ford'];
    const call = async () => {
      calls += 1;
      await Promise.resolve();
      return dataOf(...names);
    };
    const reference = keepSlugReference({ call: call as never }, { now: () => time });
    await reference.start();
    names = ['Ford', 'Zeekr'];
    expect(await reference.renew()).toBe(false);
    expect(reference.current().makeBySlug('zeekr')).toBeUndefined();
    time += 5_000;
    expect(await Promise.all([reference.renew(), reference.renew()])).toEqual([true, true]);
    expect(reference.current().makeBySlug('zeekr')).toBe('ZEEKR');
    expect(calls).toBe(2);
    reference.stop();
  });

  it('stay as they were when they cannot be loaded', async () => {
    let time = 0;
    let isDown = false;
    const call = () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve(dataOf('Ford')));
    const reference = keepSlugReference({ call: call as never }, { now: () => time });
    await reference.start();
    isDown = true;
    time += 60_000;
    expect(await reference.renew()).toBe(false);
    expect(reference.current().makeBySlug('ford')).toBe('FORD');
    reference.stop();
  });
});
