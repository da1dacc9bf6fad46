import type { IncomingMessage } from 'node:http';
import { nameOf } from '../access/Caller.js';
import type { Caller } from '../access/Caller.js';
import { ServiceError } from '../errors.js';
import { readBody } from './readBody.js';
import type { BodyOptions } from './readBody.js';
import { SMALL } from './readJson.js';

/** Maximum bytes of an app's bodies over 16 KiB that this process holds: 32 of the largest. */
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

  begin(caller: Caller): HeldBody {
    const name = nameOf(caller);
    let counted = 0;
    return {
      count: (bytes) => {
        if (bytes <= SMALL) return;
        this.add(name, bytes - counted);
        counted = bytes;
        if ((this.held.get(name) ?? 0) > this.maximum) throw tooMany();
      },
      end: () => {
        this.add(name, -counted);
        counted = 0;
      },
    };
  }

  /**
   * Reads the body of a request, and holds its bytes until it was used.
   *
   * @throws ServiceError those of `HeldBody.count` and `readBody`
   */
  async read<T>(
    request: IncomingMessage,
    caller: Caller,
    options: BodyOptions,
    use: (body: Buffer) => Promise<T>,
  ): Promise<T> {
    const { count, end } = this.begin(caller);
    try {
      return await use(await readBody(request, { ...options, count }));
    } finally {
      end();
    }
  }

  private add(name: string, bytes: number): void {
    const held = (this.held.get(name) ?? 0) + bytes;
    if (held === 0) this.held.delete(name);
    else this.held.set(name, held);
  }
}

function tooMany(): ServiceError {
  return new ServiceError(
    'rate_limited',
    'Too many large bodies of the app are under way; send fewer at once.',
    {
      retryAfterSeconds: 1,
    },
  );
}
