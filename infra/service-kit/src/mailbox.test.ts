import { describe, expect, it } from '@jest/globals';
import { mailboxOf } from './mailbox.ts';

describe('a mailbox', () => {
  it.each([
    ['capitals', 'Ada@Example.com', 'ada@example.com'],
    ['spaces around', ' ada@example.com ', 'ada@example.com'],
    ['wide letters', 'ａda@example.com', 'ada@example.com'],
    ['tags', 'ada+cars@example.com', 'ada@example.com'],
    ['several tags', 'ada+cars+more@example.com', 'ada+x@example.com'],
    ['the other domain of Gmail', 'ada@gmail.com', 'ada@googlemail.com'],
    ['dots of Gmail', 'a.d.a@gmail.com', 'ada@gmail.com'],
    ['dots, tag and domain of Gmail', 'A.da+cars@GoogleMail.com', 'ada@gmail.com'],
    ['the domains of Proton', 'ada@pm.me', 'ada@protonmail.com'],
    ['signs that Proton ignores', 'a-d_a.byron@proton.me', 'adabyron@proton.me'],
    ['the domains of iCloud', 'ada@me.com', 'ada@icloud.com'],
    ['the domains of Yandex', 'ada@ya.ru', 'ada@yandex.com'],
    ['dots for hyphens of Yandex', 'ada.byron@yandex.ru', 'ada-byron@yandex.ru'],
    ['a domain in Unicode and in punycode', 'ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ])('is the same in spite of %s', (_, one, other) => {
    expect(mailboxOf(one)).toBe(mailboxOf(other));
  });

  it.each([
    ['people', 'ada@gmail.com', 'adam@gmail.com'],
    ['domains', 'ada@example.com', 'ada@example.org'],
    ['dots at another domain', 'a.da@example.com', 'ada@example.com'],
    ['dots at a company that Google hosts', 'a.da@company.example', 'ada@company.example'],
    ['dots of Outlook', 'ada.byron@outlook.com', 'adabyron@outlook.com'],
    ['dots of iCloud', 'ada.byron@icloud.com', 'adabyron@icloud.com'],
    ['hyphens of Gmail', 'ada-byron@gmail.com', 'adabyron@gmail.com'],
    ['hyphens at another domain', 'ada-byron@example.com', 'adabyron@example.com'],
    ['hyphens that Yandex keeps', 'ada-byron@yandex.ru', 'adabyron@yandex.ru'],
    ['a subdomain of Gmail', 'ada@mail.gmail.com', 'ada@gmail.com'],
    ['a domain that ends like Gmail', 'ada@notgmail.com', 'ada@gmail.com'],
    ['the two domains of other providers', 'ada@outlook.com', 'ada@hotmail.com'],
    ['addresses that are a tag only', '+ada@example.com', '+bob@example.com'],
    ['an at sign in quotes', '"a@gmail.com"@example.com', 'a@gmail.com'],
  ])('differs by %s', (_, one, other) => {
    expect(mailboxOf(one)).not.toBe(mailboxOf(other));
  });
});
