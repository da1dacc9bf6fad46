import { replacing } from './replacing.js';

/** A loader of modules under which a process goes by the clock of its machine, not by the database's. */
export const load = replacing('/database/DatabaseClock.js', 'performance.now() + this.aheadMs', 'Date.now()');
