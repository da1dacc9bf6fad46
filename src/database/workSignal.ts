import { EventEmitter } from 'node:events';

const signals = new EventEmitter();
signals.setMaxListeners(0);

const EVERY_QUEUE = Symbol('every queue');

/**
 * Tells workers of this thread that a queue has work, so that they do not wait for their next look. Only a
 * hint: workers elsewhere find the work by looking.
 */
export function signalWork(queue: string): void {
  signals.emit(queue);
  signals.emit(EVERY_QUEUE, queue);
}

/** Listens to the signals of one queue. Returns a function that stops it. */
export function onWork(queue: string, listener: () => void): () => void {
  signals.on(queue, listener);
  return () => signals.off(queue, listener);
}

/** Listens to the signals of every queue. Returns a function that stops it. */
export function onEveryWork(listener: (queue: string) => void): () => void {
  signals.on(EVERY_QUEUE, listener);
  return () => signals.off(EVERY_QUEUE, listener);
}
