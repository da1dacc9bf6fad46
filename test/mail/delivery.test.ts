import { expect } from 'chai';
import { queueMail } from '../../src/mail/queueMail.js';
import type { Mail } from '../../src/texts/Mail.js';
import { createAccount } from '../../src/accounts/createAccount.js';
import { requestPasswordReset } from '../../src/accounts/requestPasswordReset.js';
import { MailServer } from '../support/MailServer.js';
import { TestService } from '../support/TestService.js';

describe('Mails sent by a mail server', () => {
  let server: MailServer;
  let service: TestService;

  before(async () => {
    server = await MailServer.start();
    service = await TestService.start({
      SMTP_URL: server.url,
      MAIL_FROM: 'Consent <consent@partner.example>',
    });
  });

  afterEach(() => {
    server.refusal = undefined;
    server.refused = 0;
  });

  after(async () => {
    await service?.stop();
    await server?.stop();
  });

  const letter = (label: string, locale: 'en' | 'de' = 'en'): Mail => ({
    kind: 'passkey_added',
    to: 'maya@example.org',
    locale,
    timeZone: null,
    data: { label },
  });
  const send = (mail: Mail) =>
    service.services.database.transaction(null, (tx) => queueMail(tx, service.services, mail));
  const waiting = () => service.sql('SELECT attempts FROM mails');

  it('arrive as plain text in their language from the configured address and are deleted', async () => {
    await send(letter('Phone', 'de'));
    const mail = await server.mailAbout('neuen Passkey');
    expect(mail.from?.address).to.equal('consent@partner.example');
    expect(mail.to?.map(({ address }) => address)).to.deep.equal(['maya@example.org']);
    expect(mail.text).to.include('„Phone“').and.to.include(`${service.url}/account`);
    expect(mail.html).to.equal(undefined);
    const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]));
    expect(headers).to.include({ 'auto-submitted': 'auto-generated', 'content-language': 'de' });
    while ((await waiting()).length > 0) await new Promise((wake) => setTimeout(wake, 20));
    expect(await service.sql(`SELECT 1 FROM work_queue WHERE queue = 'mail'`)).to.deep.equal([]);
  });

  it('are encrypted while they wait', async () => {
    server.refusal = { code: 451, text: 'Try later' };
    await send(letter('a phrase that must not be readable'));
    while (server.refused === 0) await new Promise((wake) => setTimeout(wake, 20));
    const rows = await service.sql('SELECT * FROM mails');
    expect(JSON.stringify(rows)).not.to.include('maya@').and.not.to.include('phrase');
    await service.sql('DELETE FROM mails');
  });

  it('are retried with one Message-ID after a temporary failure, not after a permanent one', async () => {
    server.refusal = { code: 451, text: 'Try later' };
    await send(letter('Tablet'));
    while (server.refused === 0) await new Promise((wake) => setTimeout(wake, 20));
    while (((await waiting())[0]?.attempts ?? 0) === 0) await new Promise((wake) => setTimeout(wake, 20));
    const [row] = await service.sql('SELECT mail_id FROM mails');
    server.refusal = undefined;
    await service.sql(`UPDATE work_queue SET ready_at = now() WHERE queue = 'mail'`);
    const mail = await server.mailAbout('A passkey was added');
    expect(mail.messageId).to.equal(`<${row.mail_id}@127.0.0.1>`);
    server.refusal = { code: 550, text: 'No such person' };
    await send(letter('Clock'));
    while (server.refused === 0) await new Promise((wake) => setTimeout(wake, 20));
    while ((await waiting()).length > 0) await new Promise((wake) => setTimeout(wake, 20));
  });

  it('contain a working link for people who have an account only', async () => {
    const { services } = service;
    await createAccount(
      services.database,
      { email: 'nils@example.org', password: 'gravel orchid nine' },
      new Date(),
    );
    for (const email of ['nobody@example.org', 'nils@example.org'])
      expect(await requestPasswordReset(services, { email, address: '203.0.113.7', locale: 'en' })).to.equal(
        0,
      );
    const mail = await server.mailAbout('Set a new password');
    expect(mail.to?.[0]?.address).to.equal('nils@example.org');
    const link = /^http\S+$/m.exec(mail.text ?? '')?.[0] ?? '';
    // The link works from the commit on, which follows the sending.
    while ((await waiting()).length > 0) await new Promise((wake) => setTimeout(wake, 20));
    expect((await fetch(link)).status).to.equal(200);
    expect(server.mails.filter(({ to }) => to?.[0]?.address === 'nobody@example.org')).to.deep.equal([]);
  });

  it('are not shown in a mailbox when a mail server sends them', async () => {
    expect((await fetch(`${service.url}/dev/mailbox`)).status).to.equal(404);
  });

  it('are limited per address without a difference in the answer', async () => {
    const ask = () =>
      requestPasswordReset(service.services, {
        email: 'nils@example.org',
        address: '203.0.113.8',
        locale: 'en',
      });
    const before = server.mails.length;
    for (let count = 0; count < 8; count += 1) expect(await ask()).to.equal(0);
    while ((await waiting()).length > 0) await new Promise((wake) => setTimeout(wake, 20));
    // One was asked for in the test before.
    expect(server.mails.length - before).to.equal(4);
  });
});
