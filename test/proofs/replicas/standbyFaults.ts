import { setTimeout as sleep } from 'node:timers/promises';
import type { Standby } from '../../support/Standby.js';

export type FaultKind = 'lag' | 'freeze' | 'kill' | 'restart' | 'stall' | 'oldState';

/**
 * Every kind of fault, from its beginning until the standby is itself again but for what it has to catch up
 * with.
 */
const FAULTS: Record<FaultKind, (standby: Standby) => Promise<void>> = {
  /** It answers at once, with an ever older state. */
  async lag(standby) {
    await standby.pauseReplay();
    await sleep(between(300, 900));
    await standby.resumeReplay();
  },

  /** SIGSTOP: connections stay open, nobody answers. */
  async freeze(standby) {
    standby.signal('SIGSTOP');
    await sleep(between(200, 700));
    standby.signal('SIGCONT');
  },

  async kill(standby) {
    await standby.kill();
    await standby.launch();
  },

  async restart(standby) {
    await standby.shutDown();
    await sleep(between(50, 200));
    await standby.launch();
  },

  /** The network between it and the gateways. */
  async stall(standby) {
    standby.front.stall();
    await sleep(between(200, 700));
    standby.front.resume();
  },

  /** Cut off from the primary it is killed, and comes back with the state it had. */
  async oldState(standby) {
    standby.feed.stall();
    await sleep(between(100, 300));
    await standby.kill();
    await standby.launch();
    await sleep(between(200, 600));
    standby.feed.resume();
  },
};

export const FAULT_KINDS = Object.keys(FAULTS) as FaultKind[];

/** Does one fault to a standby and waits until it has caught up. */
export async function inflict(kind: FaultKind, standby: Standby): Promise<void> {
  await FAULTS[kind](standby);
  await standby.caughtUp();
}

/** Milliseconds by chance. */
export function between(least: number, most: number): number {
  return least + Math.random() * (most - least);
}
