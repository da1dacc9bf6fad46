import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { freePort } from './freePort.js';

/** A mail server on loopback that keeps what it is given. It can be told to refuse. */
export class MailServer {
  readonly url: string;
  readonly mails: Email[] = [];
  /** The reply to the next mails; undefined accepts them. */
  refusal: { code: number; text: string } | undefined;
  /** Mails that were refused. */
  refused = 0;
  private readonly server: SMTPServer;

  private constructor(port: number) {
    this.url = `smtp://consent:secret-of-smtp@127.0.0.1:${port}`;
    this.server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === 'consent' && password === 'secret-of-smtp'
          ? done(null, { user: username })
          : done(new Error('Wrong credentials')),
      onData: (stream, _session, done) => callbackify(() => this.take(stream))(done),
    });
    this.server.on('error', () => undefined);
  }

  static async start(): Promise<MailServer> {
    const port = await freePort();
    const mails = new MailServer(port);
    await new Promise<void>((resolve) => mails.server.listen(port, '127.0.0.1', resolve));
    return mails;
  }

  /** The next mail whose subject has these words; waits for it. */
  async mailAbout(words: string): Promise<Email> {
    for (;;) {
      const found = this.mails.find(({ subject }) => subject?.includes(words));
      if (found !== undefined) return found;
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async take(stream: Readable): Promise<undefined> {
    const raw = await buffer(stream);
    if (this.refusal !== undefined) {
      this.refused += 1;
      throw Object.assign(new Error(this.refusal.text), { responseCode: this.refusal.code });
    }
    this.mails.push(await PostalMime.parse(raw));
    return undefined;
  }
}
