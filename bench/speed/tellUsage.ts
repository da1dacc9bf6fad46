import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 1;

/**
 * Answers questions over IPC about the resources that this process has used. Servers import or preload it.
 */
if (isMainThread) {
  // How late a timer of a millisecond is: for so long the event loop was taken, or the machine had no core.
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  process.on('message', (question) => {
    if (question === 'memory') globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    process.send?.({
      cpuMs: (user + system) / 1000,
      memoryMb: rss / 2 ** 20,
      heapMb: heapUsed / 2 ** 20,
      loop: { p999: late(delay.percentile(99.9)), max: late(delay.max) },
    });
    delay.reset();
  });
}
