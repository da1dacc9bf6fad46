/** A message of a stream: the JSON of a result, and the id from which a reconnecting client continues. */
export interface LiveMessage {
  eventId: string;
  text: string;
}

interface Sent {
  message: LiveMessage;
  /**
   * Called when the transport requests the next message, after it passed this one to the operating system.
   */
  taken: () => void;
  lost: (error: Error) => void;
}

/**
 * Passes messages to one subscriber, one at a time. The transport pulls each message; it counts as sent when
 * the transport asks for the next one. There is no queue, so a slow subscriber holds only one message.
 */
export class LiveStream implements AsyncGenerator<LiveMessage, void> {
  private pulled: ((result: IteratorResult<LiveMessage, void>) => void) | undefined;
  private waiting: Sent | undefined;
  private underWay: Sent | undefined;
  private ended = false;
  private readonly hooks: (() => void)[];

  /** @param onEnd called once, when either side ends the stream */
  constructor(onEnd: () => void) {
    this.hooks = [onEnd];
  }

  /** Calls the hook once, when either side ends the stream; at once if it has ended. */
  whenOver(hook: () => void): void {
    if (this.ended) hook();
    else this.hooks.push(hook);
  }

  get isOver(): boolean {
    return this.ended;
  }

  /**
   * Resolves when the message was passed to the operating system. @throws Error when the stream ended first
   */
  push(message: LiveMessage): Promise<void> {
    if (this.ended) return Promise.reject(new Error(GONE));
    return new Promise((resolve, reject) => {
      const sent = { message, taken: resolve, lost: reject };
      if (this.pulled === undefined) this.waiting = sent;
      else this.give(this.pulled, sent);
    });
  }

  next(): Promise<IteratorResult<LiveMessage, void>> {
    this.underWay?.taken();
    this.underWay = undefined;
    if (this.ended) return Promise.resolve(DONE);
    return new Promise((resolve) => {
      const { waiting } = this;
      this.waiting = undefined;
      if (waiting === undefined) this.pulled = resolve;
      else this.give(resolve, waiting);
    });
  }

  /** Ends the stream, for either side. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    const error = new Error(GONE);
    this.waiting?.lost(error);
    this.underWay?.lost(error);
    this.pulled?.(DONE);
    this.waiting = this.underWay = this.pulled = undefined;
    for (const hook of this.hooks.splice(0)) hook();
  }

  return(): Promise<IteratorResult<LiveMessage, void>> {
    this.end();
    return Promise.resolve(DONE);
  }

  throw(): Promise<IteratorResult<LiveMessage, void>> {
    return this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
  }

  private give(pulled: (result: IteratorResult<LiveMessage, void>) => void, sent: Sent): void {
    this.pulled = undefined;
    this.underWay = sent;
    pulled({ value: sent.message, done: false });
  }
}

const DONE = { value: undefined, done: true } as const;
const GONE = 'The subscriber is gone.';
