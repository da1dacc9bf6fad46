import type { FormattedExecutionResult } from 'graphql';

/** A message of a stream: a result, and the id from which a client that comes back goes on. */
export interface LiveMessage {
  eventId: string;
  result: FormattedExecutionResult;
}

interface Sent {
  message: LiveMessage;
  /** Settles when the transport asks for the next message, having handed this one to the system. */
  taken: () => void;
  lost: (error: Error) => void;
}

/**
 * Messages on their way to one subscriber, one at a time: what is pushed is taken by the transport, and
 * counts as sent when the transport comes back for more. Nothing is queued, so a reader that is slow holds
 * one message and no more.
 */
export class LiveStream implements AsyncGenerator<LiveMessage, void> {
  private pulled: ((result: IteratorResult<LiveMessage, void>) => void) | undefined;
  private waiting: Sent | undefined;
  private underWay: Sent | undefined;
  private ended = false;
  private readonly hooks: (() => void)[];

  /** @param onEnd called once, when either side has ended the stream */
  constructor(onEnd: () => void) {
    this.hooks = [onEnd];
  }

  /** Has the hook called once when either side has ended the stream; now, where it has ended. */
  whenOver(hook: () => void): void {
    if (this.ended) hook();
    else this.hooks.push(hook);
  }

  get isOver(): boolean {
    return this.ended;
  }

  /** Resolves when the message was handed to the system. @throws Error when the stream ended first */
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

  /** Ends the stream, by either side. */
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
