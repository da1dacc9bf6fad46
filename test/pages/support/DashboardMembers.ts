import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Scope } from '../../../src/domain/scopes.js';
import { openDashboard, settled } from './openDashboard.js';
import type { PagesHarness } from './PagesHarness.js';
import { SignedInMembers } from './SignedInMembers.js';
import type { Visitor } from './Visitor.js';

/** Members of the app at pages of the dashboard. */
export class DashboardMembers {
  private readonly members: SignedInMembers;
  private readonly harness: PagesHarness;
  private readonly visitor: Visitor;

  constructor(harness: PagesHarness, visitor: Visitor) {
    this.harness = harness;
    this.visitor = visitor;
    this.members = new SignedInMembers(harness, visitor);
  }

  /** Those of the same scopes have signed in once. */
  async arrive(path: string, scopes: readonly Scope[], options?: BrowserContextOptions): Promise<Page> {
    const goOn = async (page: Page): Promise<void> => {
      await page.goto(`${this.harness.baseUrl}/dashboard${path}`);
      await settled(page);
    };
    const signIn = (page: Page, email: string) => openDashboard(this.harness, page, email, path);
    return this.members.arrive(scopes, { signIn, goOn }, options);
  }

  /** The next to arrive sign in again. */
  forget(): void {
    this.members.forget();
  }

  /** A member of their own: for what ends the session or changes the membership. */
  async arriveAnew(path: string, scopes: readonly Scope[], options?: BrowserContextOptions): Promise<Page> {
    const page = await this.visitor.newPerson(options);
    await openDashboard(this.harness, page, await this.harness.newMember([...scopes]), path);
    return page;
  }
}
