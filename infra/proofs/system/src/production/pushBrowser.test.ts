import { describe, expect, it } from '@jest/globals';
import { createPushBrowser } from './pushBrowser.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

describe('a browser of the proof', () => {
  /** RFC 8291, 5. */
  const EXAMPLE = bytes(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
  const browser = createPushBrowser({
    privateKey: bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  });

  it('decrypts the example of RFC 8291', () => {
    expect(browser.decrypt(EXAMPLE)).toBe('When I grow up, I want to be a watermelon');
  });

  it('rejects a message that was changed, or encrypted for another browser', () => {
    const changed = Buffer.from(EXAMPLE);
    changed[changed.length - 20]! ^= 1;
    expect(() => browser.decrypt(changed)).toThrow();
    expect(() => createPushBrowser().decrypt(EXAMPLE)).toThrow();
  });
});
