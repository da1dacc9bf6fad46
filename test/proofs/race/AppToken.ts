import { setTimeout as sleep } from 'node:timers/promises';
import { registerApp } from '../../support/registerApp.js';

/** Long before a token ends. */
const RENEW_MS = 300_000;
const RETRY_MS = 200;

/** The token of an app during a proof that lasts longer than a token, and whose processes are killed. */
export class AppToken {
  private readonly urls: readonly string[];
  private readonly credentials: string;
  private token: string;

  private constructor(urls: readonly string[], credentials: string, token: string) {
    this.urls = urls;
    this.credentials = credentials;
    this.token = token;
  }

  /** Of a new app of the service behind all the addresses. */
  static async register(urls: readonly [string, ...string[]]): Promise<AppToken> {
    const app = await registerApp(urls[0]);
    const basic = Buffer.from(`${app.appId}:${app.clientSecret}`).toString('base64');
    const [, token = ''] = app.credentials['authorization']?.split(' ') ?? [];
    return new AppToken(urls, `Basic ${basic}`, token);
  }

  readonly current = (): string => this.token;

  /** Keeps it fresh until it is over. */
  async keepFresh(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      await sleep(RENEW_MS, undefined, { signal: over }).catch(() => undefined);
      for (let turn = 0; !over.aborted && !(await this.renew(turn)); turn += 1) await sleep(RETRY_MS);
    }
  }

  private async renew(turn: number): Promise<boolean> {
    const answer = await fetch(`${this.urls[turn % this.urls.length]}/oauth/token`, {
      method: 'POST',
      headers: { authorization: this.credentials },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    }).catch(() => undefined);
    if (answer?.status !== 200) return false;
    this.token = ((await answer.json()) as { access_token: string }).access_token;
    return true;
  }
}
