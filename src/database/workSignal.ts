import { EventEmitter } from 'node:events';

const signals = new EventEmitter();
signals.setMaxListeners(0);

const EVERY_QUEUE = Symbol('every queue');

/**
 * Tells workers of this thread that there is work in a queue, so that they need not wait for their next look.
 * A hint only: workers elsewhere find the work by looking.
 */
export function signalWork(queue: string): void {
  signals.emit(queue);
  signals.emit(EVERY_QUEUE, queue);
}

/** Hears the signals of one queue; the answer stops it. */
export function onWork(queue: string, listener: () => void): () => void {
  signals.on(queue, listener);
  return () => signals.off(queue, listener);
}

/** Hears the signals of every queue; the answer stops it. */
export function onEveryWork(listener: (queue: string) => void): () => void {
  signals.on(EVERY_QUEUE, listener);
  return () => signals.off(EVERY_QUEUE, listener);
}
