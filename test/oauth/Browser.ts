/** As browsers have it. */
const MAX_REDIRECTS = 20;

/** What a browser does for a person without JavaScript: cookies, links, forms, one hop at a time. */
export class Browser {
  private readonly jar = new Map<string, { value: string; path: string }>();
  private readonly origin: string;
  readonly headers: Record<string, string>;
  /** What happens before a redirect is followed. */
  beforeRedirect: (target: URL) => Promise<void> = async () => undefined;

  constructor(origin: string, headers: Record<string, string> = {}) {
    this.origin = origin;
    this.headers = { accept: 'text/html,*/*;q=0.8', ...headers };
  }

  cookie(name: string): string | undefined {
    return this.jar.get(name)?.value;
  }

  setCookie(name: string, value: string, path = '/'): void {
    this.jar.set(name, { value, path });
  }

  /** One request; a redirect within the origin is followed, one away from it is the answer. */
  async open(address: string, form?: Record<string, string>, redirects = 0): Promise<Visit> {
    if (redirects > MAX_REDIRECTS) throw new Error(`The service redirects in circles, now to ${address}.`);
    const url = new URL(address, this.origin);
    const response = await fetch(url, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { ...this.headers, cookie: this.cookiesFor(url.pathname) },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    this.keepCookies(response);
    const location = response.headers.get('location');
    if (location === null) return new Visit(this, url.pathname, response, await response.text());
    const target = new URL(location, url);
    if (target.origin !== this.origin) return new Visit(this, url.pathname, response, '', target);
    await this.beforeRedirect(target);
    return this.open(target.href, undefined, redirects + 1);
  }

  private cookiesFor(path: string): string {
    return [...this.jar]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }

  private keepCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const at = pair.indexOf('=');
      const name = pair.slice(0, at);
      const path = attributes.find((part) => /^path=/i.test(part))?.slice(5) ?? '/';
      const ended = attributes.some((part) => /^max-age=0$/i.test(part) || /^expires=.*1970/i.test(part));
      if (ended) this.jar.delete(name);
      else this.jar.set(name, { value: pair.slice(at + 1), path });
    }
  }
}

/** Where a browser has come to. */
export class Visit {
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The address outside of the service that the browser was sent to. */
  readonly away: URL | undefined;
  private readonly browser: Browser;

  constructor(browser: Browser, path: string, response: Response, text: string, away?: URL) {
    this.browser = browser;
    this.path = path;
    this.status = response.status;
    this.headers = response.headers;
    this.text = text;
    this.away = away;
  }

  /** The page's forms: where they are posted, and their hidden fields. */
  get forms(): { action: string; fields: Record<string, string> }[] {
    return [...this.text.matchAll(/<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(
      ([, action = '', body = '']) => ({
        action: action.replaceAll('&amp;', '&'),
        fields: Object.fromEntries(
          [...body.matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]*)"[^>]*value="([^"]*)"/gs)].map(
            ([, name = '', value = '']) => [name, value],
          ),
        ),
      }),
    );
  }

  async submit(actionEnd: string, fields: Record<string, string>): Promise<Visit> {
    const form = this.forms.find(({ action }) => action.replace(/\?.*/, '').endsWith(actionEnd));
    if (form === undefined)
      throw new Error(`No form to ${actionEnd} on ${this.path}: ${this.text.slice(0, 2000)}`);
    return this.browser.open(form.action, { ...form.fields, ...fields });
  }
}
