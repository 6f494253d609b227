import { describe, expect, it } from '@jest/globals';
import { createSigner } from './signer.ts';

describe('createSigner', () => {
  const signer = createSigner('a secret of all replicas', 'pages');

  it('accepts the signatures of every replica, in the only spelling of their bytes', () => {
    const signature = createSigner('a secret of all replicas', 'pages').sign('a page');
    expect(signer.verify('a page', signature)).toBe(true);
    expect(signer.verify('a page', `${signature}=`)).toBe(false);
  });

  it.each([
    ['another text', 'another page', signer.sign('a page')],
    ['another secret', 'a page', createSigner('another secret', 'pages').sign('a page')],
    ['another purpose', 'a page', createSigner('a secret of all replicas', 'traces').sign('a page')],
    ['nothing', 'a page', ''],
  ])('refuses a signature of %s', (_, text, signature) => {
    expect(signer.verify(text, signature)).toBe(false);
  });
});
