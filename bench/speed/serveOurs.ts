import { startService } from '../../src/app.js';
import { configFrom } from '../../src/config.js';

const running = await startService(configFrom(process.env));
process.on('message', (question) => {
  if (question === 'memory') globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ cpuMs: (user + system) / 1000, memoryMb: rss / 2 ** 20, heapMb: heapUsed / 2 ** 20 });
});
process.once('SIGTERM', () => void running.stop().then(() => process.exit(0)));
process.send?.({ port: Number(new URL(running.url).port) });
