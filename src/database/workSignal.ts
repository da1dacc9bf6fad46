import { EventEmitter } from 'node:events';

const signals = new EventEmitter();
signals.setMaxListeners(0);

const EVERY_QUEUE = Symbol('every queue');

/**
 * Signals the workers of this thread that a queue has work, so that they read it at once. It is only a hint:
 * other workers find the work when they read the queue.
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
