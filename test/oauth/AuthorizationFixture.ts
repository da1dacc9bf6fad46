import { authorizationAddress } from './authorizationAddress.js';
import type { Browser, Visit } from './Browser.js';
import type { TestApp } from './OauthHarness.js';
import { OauthHarness, PASSWORD } from './OauthHarness.js';

export type Person = Record<'email' | 'password', string>;

/** A service with an app and a member of it, who signs in to authorize the app. */
export class AuthorizationFixture {
  private constructor(
    readonly harness: OauthHarness,
    readonly app: TestApp,
    readonly member: Person,
  ) {}

  static async open(): Promise<AuthorizationFixture> {
    const harness = await OauthHarness.open();
    const app = await harness.addApp();
    const email = 'page@partner.example';
    await harness.addAccount(email, { [app.appId]: ['customers:read'] });
    return new AuthorizationFixture(harness, app, { email, password: PASSWORD });
  }

  /** One more member of the app, or a person who is a member of none. */
  async addPerson(name: string, scopes = ['customers:read', 'offline_access']): Promise<Person> {
    const email = `${name}@partner.example`;
    await this.harness.addAccount(email, scopes.length === 0 ? {} : { [this.app.appId]: scopes });
    return { email, password: PASSWORD };
  }

  address(parameters: Record<string, string> = {}): string {
    return authorizationAddress(this.app, parameters);
  }

  /** The page that follows on signing in: to approve, or what is in the way of it. */
  async signIn(browser: Browser, who = this.member, parameters: Record<string, string> = {}): Promise<Visit> {
    return (await browser.open(this.address(parameters))).submit('/sign-in', who);
  }
}
