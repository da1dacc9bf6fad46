import type { AuthorizationServices } from '../accounts/AccountServices.js';
import { KEYS_CHANGED, loadSigningKeys, rotateWhenDue } from './signingKeys.js';
import type { SigningKeys } from './signingKeys.js';

const RELOAD_MS = 60_000;

/**
 * The current signing keys. They are read again every minute and after a revocation, and rotated on schedule.
 */
export class TurningKeys {
  current: SigningKeys;
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly services: AuthorizationServices,
    keys: SigningKeys,
    private readonly onChange: (keys: SigningKeys) => void,
  ) {
    this.current = keys;
    this.timer = setInterval(() => void this.reloadQuietly(), RELOAD_MS);
    this.timer.unref();
    services.notices.on(KEYS_CHANGED, () => void this.reloadQuietly());
  }

  /** @param onChange called with the first keys, and with changed keys before they are used */
  static async load(
    services: AuthorizationServices,
    onChange: (keys: SigningKeys) => void,
  ): Promise<TurningKeys> {
    const keys = await loadSigningKeys(services);
    onChange(keys);
    return new TurningKeys(services, keys, onChange);
  }

  /** Rotates the signing key when due and reads the keys that any node has made since. */
  async reload(): Promise<void> {
    const { signingKeyDays } = this.services.config;
    if (signingKeyDays > 0) await rotateWhenDue(this.services, signingKeyDays);
    const keys = await loadSigningKeys(this.services);
    if (namesOf(keys) === namesOf(this.current)) return;
    this.onChange(keys);
    this.current = keys;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async reloadQuietly(): Promise<void> {
    try {
      await this.reload();
    } catch (error) {
      this.services.log.warn(
        { err: error },
        'the signing keys could not be read again; those known stay in use',
      );
    }
  }
}

function namesOf({ jwks }: SigningKeys): string {
  return jwks.map(({ kid }) => kid).join(' ');
}
