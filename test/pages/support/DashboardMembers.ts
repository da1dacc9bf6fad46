import type { BrowserContextOptions, Cookie, Page } from 'playwright-core';
import type { Scope } from '../../../src/domain/scopes.js';
import { openDashboard, settled } from './openDashboard.js';
import type { PagesHarness } from './PagesHarness.js';
import type { Visitor } from './Visitor.js';

/**
 * Members of the app, one for each set of scopes, who sign in once: each of their later pages has a browser
 * profile of its own that begins with their cookies.
 */
export class DashboardMembers {
  private readonly cookies = new Map<string, Cookie[]>();
  private readonly harness: PagesHarness;
  private readonly visitor: Visitor;

  constructor(harness: PagesHarness, visitor: Visitor) {
    this.harness = harness;
    this.visitor = visitor;
  }

  async arrive(path: string, scopes: readonly Scope[], options: BrowserContextOptions = {}): Promise<Page> {
    const key = scopes.join(' ');
    const cookies = this.cookies.get(key);
    if (cookies === undefined) {
      const page = await this.arriveAnew(path, scopes, options);
      this.cookies.set(key, await page.context().cookies());
      return page;
    }
    const page = await this.visitor.newPerson({ ...options, storageState: { cookies, origins: [] } });
    await page.goto(`${this.harness.baseUrl}/dashboard${path}`);
    await settled(page);
    return page;
  }

  /** The next to arrive sign in again. */
  forget(): void {
    this.cookies.clear();
  }

  /** A member of their own: for what ends the session or changes the membership. */
  async arriveAnew(path: string, scopes: readonly Scope[], options?: BrowserContextOptions): Promise<Page> {
    const page = await this.visitor.newPerson(options);
    await openDashboard(this.harness, page, await this.harness.newMember([...scopes]), path);
    return page;
  }
}
