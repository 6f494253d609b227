import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { createSqliteSql } from '@forecourt/service-kit/sqlite';
import { openPeopleDatabase } from '../people/people.ts';
import type { Db } from '@forecourt/service-kit/database';
import { createMailSender, createSmtpTransport, localOutbox } from './mailSender.ts';
import { createMailStore, type Mail, type MailStore } from '../people/mailStore.ts';

const MAIL: Mail = {
  to: 'dealer@example.com',
  replyTo: 'ada@example.com',
  subject: 'Ada asks about a car — größer',
  text: 'Is it still there?\n.\nA line with a dot above.',
  attachments: [{ filename: 'lead.xml', contentType: 'application/x-adf+xml', content: '<adf>é</adf>' }],
};
const logger = pino({ level: 'silent' });

/** A mail server that stores accepted emails; set `rejection.refuse` to reject recipients. */
async function startSmtp(rejection: { refuse?: { code: number } } = {}, port = 0) {
  const received: Email[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo(_, __, done) {
      if (!rejection.refuse) return done();
      done(Object.assign(new Error('refused'), { responseCode: rejection.refuse.code }));
    },
    onData(stream, _, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(parts)).then((mail) => {
          received.push(mail);
          done();
        });
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    received,
    rejection,
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

describe('sending mails', () => {
  let folder: string;
  let db: Db;
  let mails: MailStore;
  let time: number;
  const now = () => time;
  beforeEach(() => {
    time = Date.UTC(2026, 10, 1);
    folder = mkdtempSync(join(tmpdir(), 'mails-'));
    db = openPeopleDatabase(join(folder, 'people.sqlite'));
    mails = createMailStore(createSqliteSql(db), now);
  });
  afterEach(() => {
    db.close();
    rmSync(folder, { recursive: true });
  });

  const senderTo = (port: number, pauses?: readonly number[], isLocal = true) => {
    const transport = createSmtpTransport({
      url: `smtp://127.0.0.1:${port}`,
      from: 'Forecourt <no-reply@forecourt.example>',
      isLocal,
    });
    return {
      sender: createMailSender({ mails, transport, logger, now, ...(pauses && { pauses }) }),
      transport,
    };
  };

  it('delivers an email with its attachment to a mail server', async () => {
    const smtp = await startSmtp();
    const { sender, transport } = senderTo(smtp.port);
    await mails.add('lead', MAIL, 'lead:1');
    expect(await sender.sendDue()).toBe(1);
    const [mail] = smtp.received;
    expect(mail).toMatchObject({ subject: MAIL.subject, to: [{ address: MAIL.to }] });
    expect(mail?.replyTo?.[0]?.address).toBe('ada@example.com');
    expect(mail?.text?.replaceAll('\r', '').trim()).toBe(MAIL.text);
    const attachment = mail?.attachments[0];
    expect(attachment).toMatchObject({ filename: 'lead.xml', mimeType: 'application/x-adf+xml' });
    expect(new TextDecoder().decode(attachment?.content as ArrayBuffer)).toBe('<adf>é</adf>');
    expect(await mails.list('sent')).toHaveLength(1);
    expect(await sender.sendDue()).toBe(0);
    transport.close();
    await smtp.close();
  });

  it('keeps emails while the mail server is down and delivers them afterwards', async () => {
    const first = await startSmtp();
    const { port } = first;
    await first.close();
    const { sender, transport } = senderTo(port, [1000, 1000, 1000]);
    for (let i = 0; i < 5; i++) await mails.add('lead', MAIL, `lead:${i}`);
    expect(await sender.sendDue()).toBe(0);
    expect(await mails.counts()).toMatchObject({ pending: 5, dead: 0 });
    // Not due yet.
    expect(await sender.sendDue()).toBe(0);
    expect((await mails.list('pending')).every(({ attempts }) => attempts === 1)).toBe(true);
    const back = await startSmtp({}, port);
    time += 1000;
    expect(await sender.sendDue()).toBe(5);
    expect(back.received).toHaveLength(5);
    transport.close();
    await back.close();
  });

  it('sends nothing in plain text when TLS is required, and keeps the email', async () => {
    const smtp = await startSmtp();
    const { sender, transport } = senderTo(smtp.port, [1000], false);
    await mails.add('lead', MAIL);
    expect(await sender.sendDue()).toBe(0);
    expect(smtp.received).toEqual([]);
    expect(await mails.counts()).toMatchObject({ pending: 1, dead: 0 });
    expect((await mails.list())[0]?.lastError).toMatch(/TLS/);
    transport.close();
    await smtp.close();
  });

  it('keeps every text that is put into a header within it', async () => {
    const smtp = await startSmtp();
    const { sender, transport } = senderTo(smtp.port);
    const hostile = fc.string({
      unit: fc.constantFrom('\r', '\n', '\u2028', '\u202e', '\0', ':', ' ', 'Bcc', 'x', '@', '<', '=?'),
    });
    const texts = fc.sample(hostile, { numRuns: 40, seed: 5 });
    for (const text of texts)
      await mails.add('lead', {
        ...MAIL,
        subject: `Car ${text}\r\nBcc: evil@example.com\r\n\r\nbody`,
        replyTo: `ada@example.com${text.replace(/[^\r\n]/g, '')}`,
      });
    expect(await sender.sendDue()).toBe(40);
    for (const mail of smtp.received) {
      expect(mail.bcc).toBeUndefined();
      expect(mail.subject).not.toContain('\u202e');
      expect(mail.to?.map(({ address }) => address)).toEqual([MAIL.to]);
      expect(mail.headers.map(({ key }) => key).sort()).toEqual(
        smtp.received[0]?.headers.map(({ key }) => key).sort(),
      );
      expect(mail.text?.replaceAll('\r', '').trim()).toBe(MAIL.text);
    }
    transport.close();
    await smtp.close();
  });

  it('sends no more requests or shared vehicles to a mailbox that bounced, and still delivers messages', async () => {
    const smtp = await startSmtp({ refuse: { code: 550 } });
    const { sender, transport } = senderTo(smtp.port);
    await mails.add('alert-confirm', { ...MAIL, to: 'gone@example.com' });
    await sender.sendDue();
    expect(await mails.add('share', { ...MAIL, to: 'gone+1@example.com' })).toBe('suppressed');
    expect(await mails.add('lead', { ...MAIL, to: 'gone@example.com' })).toBe('queued');
    transport.close();
    await smtp.close();
  });

  it('gives up after the last retry, lists dead letters and requeues one', async () => {
    const smtp = await startSmtp({ refuse: { code: 450 } });
    const { sender, transport } = senderTo(smtp.port, [1000]);
    await mails.add('lead', MAIL);
    await sender.sendDue();
    time += 1000;
    await sender.sendDue();
    const [dead] = await mails.list('dead');
    expect(dead).toMatchObject({ attempts: 2, lastError: expect.stringContaining('refused') });
    time += 1e9;
    expect(await sender.sendDue()).toBe(0);
    delete smtp.rejection.refuse;
    expect(await mails.retry(dead!.id)).toBe(true);
    expect(await sender.sendDue()).toBe(1);
    transport.close();
    await smtp.close();
  });

  it('does not retry an email that the mail server rejects permanently', async () => {
    const smtp = await startSmtp({ refuse: { code: 550 } });
    const { sender, transport } = senderTo(smtp.port);
    await mails.add('lead', MAIL);
    await sender.sendDue();
    expect(await mails.counts()).toMatchObject({ dead: 1, pending: 0 });
    transport.close();
    await smtp.close();
  });

  it('resends an email under the same Message-ID after a crash', async () => {
    const smtp = await startSmtp();
    const { sender, transport } = senderTo(smtp.port);
    await mails.add('lead', MAIL);
    const [mail] = await mails.due(1);
    await transport.send(mail!);
    expect(await sender.sendDue()).toBe(1);
    const ids = smtp.received.map(({ messageId }) => messageId);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    transport.close();
    await smtp.close();
  });

  it('stores emails in the local outbox when no mail server is configured', async () => {
    await mails.add('lead', MAIL);
    const sender = createMailSender({ mails, transport: localOutbox, logger, now });
    expect(await sender.sendDue()).toBe(1);
    expect(await mails.list('outbox')).toMatchObject([{ to: MAIL.to, text: MAIL.text }]);
  });

  it('deletes only sent emails that are older than a month', async () => {
    const smtp = await startSmtp();
    const { sender, transport } = senderTo(smtp.port);
    await mails.add('lead', MAIL, 'sent');
    await sender.sendDue();
    await mails.add('lead', MAIL, 'waiting');
    time += 29 * 86_400_000;
    expect(await mails.sweep()).toBe(0);
    time += 2 * 86_400_000;
    expect(await mails.sweep()).toBe(1);
    expect((await mails.list()).map(({ state }) => state)).toEqual(['pending']);
    transport.close();
    await smtp.close();
  });

  it('stores an email with the same key once', async () => {
    expect(await mails.add('lead', MAIL, 'k')).toBe('queued');
    expect(await mails.add('lead', MAIL, 'k')).toBe('repeated');
    expect((await mails.counts()).pending).toBe(1);
  });
});
