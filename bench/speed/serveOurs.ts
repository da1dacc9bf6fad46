import { startService } from '../../src/app.js';
import { configFrom } from '../../src/config.js';
import './tellUsage.js';

const running = await startService(configFrom(process.env));
process.once('SIGTERM', () => void running.stop().then(() => process.exit(0)));
process.send?.({ port: Number(new URL(running.url).port) });
