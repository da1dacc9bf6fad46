import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Cookie, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { findChromium } from './findChromium.js';

/** Without these, Chromium calls home at start, which closed networks refuse. */
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A real browser. Each person in a test has a browser profile of their own. */
export class Visitor {
  private readonly contexts: BrowserContext[] = [];
  private readonly browser: Browser;
  private readonly home: string;

  private constructor(browser: Browser, home: string) {
    this.browser = browser;
    this.home = home;
  }

  static async arrive(): Promise<Visitor> {
    const executablePath = findChromium();
    if (executablePath === undefined) throw new Error('There is no Chromium.');
    const home = mkdtempSync(join(tmpdir(), 'consent-browser-'));
    const isRoot = process.getuid?.() === 0;
    const browser = await chromium.launch({
      executablePath,
      args: isRoot ? [...FLAGS, '--no-sandbox'] : FLAGS,
      env: { ...process.env, HOME: home },
    });
    return new Visitor(browser, home);
  }

  /** A page in a fresh profile: no cookies, nothing cached. */
  async newPerson(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({ locale: 'en-GB', ...options });
    // A busy machine is slow: less than a test has, so that the message says what was waited for.
    context.setDefaultTimeout(150_000);
    this.contexts.push(context);
    return context.newPage();
  }

  /** The same for a person whose browser has only these cookies. */
  newPersonWith(cookies: Cookie[], options: BrowserContextOptions = {}): Promise<Page> {
    return this.newPerson({ ...options, storageState: { cookies, origins: [] } });
  }

  async forgetEverybody(): Promise<void> {
    await Promise.all(this.contexts.splice(0).map((context) => context.close()));
  }

  async leave(): Promise<void> {
    await this.browser.close();
    rmSync(this.home, { recursive: true, force: true });
  }
}
