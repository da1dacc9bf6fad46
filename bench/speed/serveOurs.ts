import { startService } from '../../src/app.js';
import { configFrom } from '../../src/config.js';

const running = await startService(configFrom(process.env));
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000, memoryMb: process.memoryUsage().rss / 2 ** 20 });
});
process.once('SIGTERM', () => void running.stop().then(() => process.exit(0)));
process.send?.({ port: Number(new URL(running.url).port) });
