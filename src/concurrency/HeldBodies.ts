import { ServiceError } from '../errors.js';

/** Bodies and messages up to so many bytes are not counted, and parsed at once. */
export const SMALL = 16 * 1024;

/** Maximum bytes of an app's larger bodies that this process holds: 32 of the largest. */
const MAX_HELD = 128 * 1024 * 1024;

/** The bytes of one body, of whoever sends it. */
export interface HeldBody {
  /** Told how many there are so far. @throws ServiceError `rate_limited` when the app's are too many */
  count: (bytes: number) => void;
  /** To be called when the body is parsed or dropped. */
  end: () => void;
}

/** Bounds the bytes of each app's bodies in this process, from their first byte until they are parsed. */
export class HeldBodies {
  private readonly held = new Map<string, number>();

  constructor(private readonly maximum = MAX_HELD) {}

  begin(appId: string): HeldBody {
    let counted = 0;
    return {
      count: (bytes) => {
        if (bytes <= SMALL) return;
        this.add(appId, bytes - counted);
        counted = bytes;
        if ((this.held.get(appId) ?? 0) > this.maximum) throw tooMany();
      },
      end: () => {
        this.add(appId, -counted);
        counted = 0;
      },
    };
  }

  private add(appId: string, bytes: number): void {
    const held = (this.held.get(appId) ?? 0) + bytes;
    if (held === 0) this.held.delete(appId);
    else this.held.set(appId, held);
  }
}

function tooMany(): ServiceError {
  return new ServiceError(
    'rate_limited',
    'Too many large bodies of the app are under way; send fewer at once.',
    { retryAfterSeconds: 1 },
  );
}
