import type { Request, Response } from 'express';
import type { Config } from '../config.js';
import type { SecretBox } from '../domain/SecretBox.js';
import type { CookieScope } from './cookies.js';
import { clearCookie, readCookie, setCookie } from './cookies.js';

interface SealingServices {
  config: Pick<Config, 'baseUrl'>;
  secrets: SecretBox;
  clock: () => Date;
}

/** What is sealed. It says of which cookie it is, and its end, which the browser could move. */
interface Sealed<Value> {
  cookie: string;
  expiresAt: number;
  value: Value;
}

/** A cookie that keeps something in a browser for a while, without the browser being able to read it. */
export class SealedCookie<Value> {
  constructor(
    private readonly name: string,
    private readonly scope: Required<CookieScope>,
  ) {}

  set({ config, secrets, clock }: SealingServices, response: Response, value: Value): void {
    const expiresAt = clock().getTime() + this.scope.maxAgeSeconds * 1000;
    const content: Sealed<Value> = { cookie: this.name, expiresAt, value };
    setCookie(config.baseUrl, response, this.name, secrets.seal(JSON.stringify(content)), this.scope);
  }

  /** The value; undefined when its time is over, or the text is not one that `set` sealed for this cookie. */
  read({ secrets, clock }: SealingServices, request: Pick<Request, 'headers'>): Value | undefined {
    try {
      const text = secrets.open(readCookie(request, this.name) ?? '');
      const content = JSON.parse(text) as Sealed<Value>;
      const isOwn = content.cookie === this.name && content.expiresAt > clock().getTime();
      return isOwn ? content.value : undefined;
    } catch {
      return undefined;
    }
  }

  clear({ config }: SealingServices, response: Response): void {
    clearCookie(config.baseUrl, response, this.name, this.scope.path);
  }
}
