import type { AccountServices } from '../accounts/AccountServices.js';
import { KEYS_CHANGED, loadSigningKeys, rotateWhenDue } from './signingKeys.js';
import type { SigningKeys } from './signingKeys.js';

const RELOAD_MS = 60_000;

/**
 * The signing keys as they are now: read again every minute and when one was taken out, and rotated on
 * schedule.
 */
export class TurningKeys {
  current: SigningKeys;
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly services: AccountServices,
    keys: SigningKeys,
    private readonly onChange: (keys: SigningKeys) => Promise<void>,
  ) {
    this.current = keys;
    this.timer = setInterval(() => void this.reloadQuietly(), RELOAD_MS);
    this.timer.unref();
    services.notices?.on(KEYS_CHANGED, () => void this.reloadQuietly());
  }

  /** @param onChange is called with the first keys, and with others before they are used */
  static async load(
    services: AccountServices,
    onChange: (keys: SigningKeys) => Promise<void>,
  ): Promise<TurningKeys> {
    const keys = await loadSigningKeys(services);
    await onChange(keys);
    return new TurningKeys(services, keys, onChange);
  }

  /** Reads keys that were made since, on any node, and chooses the one that signs. */
  async reload(): Promise<void> {
    const { signingKeyDays } = this.services.config;
    if (signingKeyDays > 0) await rotateWhenDue(this.services, signingKeyDays);
    const keys = await loadSigningKeys(this.services);
    if (namesOf(keys) === namesOf(this.current)) return;
    await this.onChange(keys);
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
