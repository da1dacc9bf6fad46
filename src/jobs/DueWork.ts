import type { Database } from '../database/Database.js';
import { lookForWork } from '../database/lookForWork.js';
import type { Queue } from '../database/workQueue.js';
import { groupBy } from '../domain/groupBy.js';

export interface Task {
  app_id: string;
  subject: string;
}

/** Subjects of one read: more than are worked on, so that workers rarely collide. */
const WINDOW = 200;

/** Subjects of one read of apps in turn. */
const TURN = 20;

/**
 * Finds subjects of a queue that are due by reading `work_queue` without locks, so that one statement serves
 * every app. When more are due than one read returns, it looks for apps in turn too: the oldest may all be of
 * one app.
 */
export class DueWork {
  /** The last app that had its turn. */
  private lastApp = '';

  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
  ) {}

  async find(now: Date): Promise<Task[]> {
    const oldest = await lookForWork<Task>(this.database, FIND, [this.queue, now]);
    const inTurn = oldest.length < WINDOW ? [] : await this.findInTurn(now);
    return [...interleaved(inTurn), ...interleaved(oldest)];
  }

  /** Subjects of the apps behind the last one that had its turn. */
  private async findInTurn(now: Date): Promise<Task[]> {
    const found = await lookForWork<Task>(this.database, FIND_IN_TURN, [this.queue, now, this.lastApp]);
    // Several nodes may have answered, each from the same app on.
    const tasks = found.toSorted((a, b) => (a.app_id < b.app_id ? -1 : 1)).slice(0, TURN);
    this.lastApp = tasks.at(-1)?.app_id ?? '';
    return tasks;
  }
}

/** In random order, in which tasks of each app come equally often, however many of them there are. */
function interleaved(tasks: readonly Task[]): Task[] {
  const ofApp = groupBy(tasks, ({ app_id }) => app_id);
  return tasks
    .map((task) => ({ task, at: Math.random() * (ofApp.get(task.app_id)?.length ?? 1) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ task }) => task);
}

// The queue is mostly empty, so its statistics are those of an empty table. A plan based on them sorts all
// waiting rows at every read.
const FIND = {
  name: 'find_work',
  inOrder: true,
  text: (
    ofSome: string,
  ) => `SELECT app_id, subject FROM work_queue WHERE queue = $1 AND ready_at <= $2 ${ofSome}
           ORDER BY ready_at LIMIT ${WINDOW}`,
};

const FIND_IN_TURN = {
  name: 'find_work_in_turn',
  inOrder: true,
  text: (
    ofSome: string,
  ) => `SELECT app_id, subject FROM work_queue WHERE queue = $1 AND ready_at <= $2 AND app_id > $3 ${ofSome}
           ORDER BY app_id, subject LIMIT ${TURN}`,
};
