import { expect, it } from '@jest/globals';
import { requiresTls } from './mailSender.ts';

it.each([
  ['smtp://mail.example', false, true],
  ['smtp://mail.example', true, false],
  ['smtp://127.0.0.1?requireTLS=false', false, false],
  ['smtp://mail.example?requireTLS=true', true, true],
])('mail to %s, in local mode: %s, needs TLS: %s', (url, isLocal, needsTls) => {
  expect(requiresTls({ url, isLocal })).toBe(needsTls);
});
