import type { BrowserContextOptions, Cookie, Page } from 'playwright-core';
import type { Scope } from '../../../src/domain/scopes.js';
import type { PagesHarness } from './PagesHarness.js';
import type { Visitor } from './Visitor.js';

/** How a member comes to a page: through the door at first, afterwards with the session. */
export interface Ways {
  signIn: (page: Page, email: string) => Promise<void>;
  goOn: (page: Page) => Promise<void>;
}

/**
 * Members of the app, one for each set of scopes, who sign in once: each of their later pages has a browser
 * profile of its own that begins with their cookies.
 */
export class SignedInMembers {
  private readonly cookies = new Map<string, Cookie[]>();
  private readonly harness: PagesHarness;
  private readonly visitor: Visitor;

  constructor(harness: PagesHarness, visitor: Visitor) {
    this.harness = harness;
    this.visitor = visitor;
  }

  async arrive(scopes: readonly Scope[], ways: Ways, options?: BrowserContextOptions): Promise<Page> {
    const key = scopes.join(' ');
    const cookies = this.cookies.get(key);
    if (cookies === undefined) {
      const page = await this.visitor.newPerson(options);
      await ways.signIn(page, await this.harness.newMember([...scopes]));
      this.cookies.set(key, await page.context().cookies());
      return page;
    }
    const page = await this.visitor.newPersonWith(cookies, options);
    await ways.goOn(page);
    return page;
  }

  /** The next to arrive sign in again. */
  forget(): void {
    this.cookies.clear();
  }
}
