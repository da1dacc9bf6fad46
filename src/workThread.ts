import { constants, getPriority, platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, ToThread } from './processes/WorkThread.js';
import { signalWork } from './database/workSignal.js';
import { startWorking } from './start/startWorking.js';
import type { WorkGiven } from './start/startWorking.js';

/** How much lower than requests, in nice(2), the priority of background work is. */
const NICE = 10;

// On Linux this affects only this thread; elsewhere it would affect the whole process.
if (platform() === 'linux') setPriority(Math.min(getPriority() + NICE, constants.priority.PRIORITY_LOW));

/** The thread of background work. Messages sent before it has started are handled afterwards. */
const working = await startWorking(workerData as WorkGiven);

parentPort?.on('message', (message: ToThread) => void answer(message));

async function answer(message: ToThread): Promise<void> {
  if (message.kind === 'signals') for (const queue of message.queues) signalWork(queue);
  if (message.kind === 'metrics') tell({ kind: 'metrics', id: message.id, metrics: await working.metrics() });
  if (message.kind === 'stop') {
    await working.stop();
    tell({ kind: 'stopped' });
  }
}

function tell(message: FromThread): void {
  parentPort?.postMessage(message);
}
