import { describe, expect, it } from '@jest/globals';
import { EGRESS } from './egress.ts';

describe('outgoing requests', () => {
  it.each([
    ['https://fcm.googleapis.com/fcm/send/x', true],
    ['https://wns2.notify.windows.com/w/?token=x', true],
    ['https://fcm.googleapis.com.evil.example/', false],
    ['https://fcm.googleapis.com@evil.example/', false],
    ['https://user@fcm.googleapis.com/', false],
    ['https://fcm.googleapis.com:8443/', false],
    ['http://fcm.googleapis.com/', false],
    ['https://evil.example/.push.apple.com', false],
    ['https://evilnotify.windows.com/', false],
  ])('for push to %s are allowed: %s', (url, isAllowed) => {
    expect(EGRESS.push().allows(new URL(url))).toBe(isAllowed);
  });
});
