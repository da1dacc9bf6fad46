import { once } from 'node:events';
import type { AdversaryGiven } from './Adversary.js';
import { habitsOf } from './habitsOf.js';
import type { Habit } from './habitsOf.js';
import { Tenant } from './Tenant.js';
import { setTimeout as sleep } from 'node:timers/promises';

const MINUTE_MS = 60_000;

/** The adversary's process. The first message has its credentials, each later one the seconds of a run. */
const [{ port, token, ids, habits: named }] = (await once(process, 'message')) as [AdversaryGiven];
const all = habitsOf(new Tenant(port, token), ids);
const habits = named === undefined ? all : all.filter(({ name }) => named.includes(name));
process.on('message', (seconds: number) => void run(seconds).then((answers) => process.send?.(answers)));
process.send?.('ready');

/** Runs all habits at the same time. @returns the number of answers by habit and status */
async function run(seconds: number): Promise<string[]> {
  const end = performance.now() + seconds * 1000;
  const answers = new Map<string, number>();
  const note = (answer: string): void => void answers.set(answer, (answers.get(answer) ?? 0) + 1);
  await Promise.all(habits.map((habit) => keep(habit, end, note)));
  return [...answers].map(([answer, count]) => `${count} × ${answer}`);
}

/** Repeats a habit at its rate, without waiting for answers. */
async function keep(
  { name, aMinute, act }: Habit,
  end: number,
  note: (answer: string) => void,
): Promise<void> {
  const under: Promise<void>[] = [];
  for (let due = performance.now(); due < end; due += MINUTE_MS / aMinute) {
    await sleep(Math.max(0, due - performance.now()));
    under.push(act().then((status) => note(`${name} ${status}`)));
  }
  await Promise.all(under);
}
