/**
 * Lets the monotonic clock show so many milliseconds more, as after a pause of this process (SIGSTOP, a
 * throttled container).
 *
 * @returns what puts it right
 */
export function pausedClock(ms: number): () => void {
  const { now } = performance;
  performance.now = () => now.call(performance) + ms;
  return () => void Reflect.deleteProperty(performance, 'now');
}
