import type { KeyValueCache } from '@apollo/utils.keyvaluecache';

/** A cache of Apollo Server's, by SHA-256, in which what belongs to trusted documents always is and is never replaced. */
export class TrustedFirst<T> implements KeyValueCache<T> {
  private readonly trusted: (hash: string) => T | undefined;
  private readonly rest: KeyValueCache<T>;

  /** @param trusted by hash in hex, which follows the prefix of Apollo's keys */
  constructor(trusted: (hash: string) => T | undefined, rest: KeyValueCache<T>) {
    this.trusted = trusted;
    this.rest = rest;
  }

  get(key: string): Promise<T | undefined> {
    const found = this.trusted(hashOf(key));
    return found === undefined ? this.rest.get(key) : Promise.resolve(found);
  }

  async set(key: string, value: T): Promise<void> {
    if (this.trusted(hashOf(key)) === undefined) await this.rest.set(key, value);
  }

  delete(key: string): Promise<boolean | void> {
    return this.rest.delete(key);
  }
}

function hashOf(key: string): string {
  return key.slice(key.indexOf(':') + 1);
}
