import { EventEmitter } from 'node:events';

const signals = new EventEmitter();
signals.setMaxListeners(0);

/**
 * Tells workers of this process that there is work in a queue, so that they need not wait for their next
 * look. A hint only: workers in other processes find the work by looking.
 */
export function signalWork(queue: string): void {
  signals.emit(queue);
}

/** Hears the signals of one queue; the answer stops it. */
export function onWork(queue: string, listener: () => void): () => void {
  signals.on(queue, listener);
  return () => signals.off(queue, listener);
}
