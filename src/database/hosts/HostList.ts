const PARTS = /^(postgres(?:ql)?:\/\/)((?:.*@)?)([^/?#@]*)([/?#].*)?$/s;
const ATTRIBUTE = 'target_session_attrs';
const PRIMARY_ATTRIBUTES: readonly string[] = ['read-write', 'primary'];
/** pg would take any other for `verify-full`. */
const TLS_MODES: readonly string[] = [
  'disable',
  'no-verify',
  'prefer',
  'require',
  'verify-ca',
  'verify-full',
];

/**
 * The hosts of a connection URL in libpq's form: `postgres://user@one:5432,two:5432/name`. One is the
 * primary.
 */
export class HostList {
  /** One URL per host, in the given order. */
  readonly urls: readonly string[];
  /** Whether a connection must be checked to be the primary's. */
  readonly mustFindPrimary: boolean;
  private readonly scheme: string;
  private readonly hosts: string;
  private readonly rest: string;

  /** @throws TypeError without the text of the URL, which contains a password */
  constructor(url: string) {
    const [, scheme = '', user = '', hosts = '', rest = ''] = PARTS.exec(url) ?? [];
    if (scheme === '') throw new TypeError('This is no connection URL of PostgreSQL.');
    this.scheme = scheme;
    this.hosts = hosts;
    this.rest = rest;
    const names = hosts.split(',');
    const singles = names.map((host) => `${scheme}${user}${host}${rest}`);
    if (!singles.every((single) => URL.canParse(single)) || (names.length > 1 && names.includes('')))
      throw new TypeError('This is no connection URL of PostgreSQL.');
    const { searchParams, pathname } = new URL(singles[0] ?? '');
    // The service changes the login before the host. pg prefers a parameter, and else takes the login's name
    // for that of the database.
    if (searchParams.has('user') || searchParams.has('password'))
      throw new TypeError('The user and the password must stand before the host.');
    if (hosts === '' || pathname.length < 2) throw new TypeError('It must name a host and a database.');
    const attribute = searchParams.get(ATTRIBUTE);
    if (attribute !== null && !PRIMARY_ATTRIBUTES.includes(attribute))
      throw new TypeError(`${ATTRIBUTE} must be ${PRIMARY_ATTRIBUTES.join(' or ')}.`);
    if (!searchParams.getAll('sslmode').every((mode) => TLS_MODES.includes(mode)))
      throw new TypeError(`sslmode must be one of ${TLS_MODES.join(', ')}.`);
    this.mustFindPrimary = names.length > 1 || attribute !== null;
    this.urls = attribute === null ? singles : singles.map(withoutAttribute);
  }

  /** The same hosts with the user and the password of another URL. */
  withLoginOf(other: string): string {
    const [first = ''] = new HostList(other).urls;
    const { username, password } = new URL(first);
    return `${this.scheme}${username}:${password}@${this.hosts}${this.rest}`;
  }
}

/** pg would read it as one of its own settings. */
function withoutAttribute(url: string): string {
  const changed = new URL(url);
  changed.searchParams.delete(ATTRIBUTE);
  return changed.href;
}
