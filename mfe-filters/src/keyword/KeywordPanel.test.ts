import { expect, it } from '@jest/globals';
import { contentUrl } from './KeywordPanel.tsx';

it('accepts only http and https URLs of suggested pages', () => {
  expect(contentUrl('javascript:alert(1)', 'https://a.example/')).toBeUndefined();
  expect(contentUrl('data:text/html,x', 'https://a.example/')).toBeUndefined();
  expect(contentUrl('/guides/ford', 'https://a.example/x')).toBe('https://a.example/guides/ford');
});
