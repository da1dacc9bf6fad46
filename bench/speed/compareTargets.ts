import { deepStrictEqual } from 'node:assert';
import { lightLoad } from './lightLoad.js';
import { loadOf, measureLoad } from './measureLoad.js';
import type { Sample } from './measureLoad.js';
import type { LoadPlan } from './LoadClient.js';
import { playRounds } from './playRounds.js';
import type { Played } from './playRounds.js';
import type { ServerProcess } from './ServerProcess.js';
import { requestBytes } from './Target.js';
import type { Group, Target } from './Target.js';

export type Measured = Played<Target>;

export interface ComparePlan {
  targets: readonly Target[];
  servers: ReadonlyMap<string, ServerProcess>;
  ids: readonly string[];
  /** Valid for as long as the comparison takes: peers know no other. */
  token: string;
  /** PostgreSQL's processor time so far. */
  databaseCpuMs: () => number;
  rounds: number;
  seconds: number;
  connections: number;
  progress: (line: string) => void;
}

/** Compares what servers answer, then how fast they do. */
export async function compareTargets(plan: ComparePlan): Promise<Measured[]> {
  await checkAnswers(plan);
  return playRounds({
    ...plan,
    contestants: plan.targets,
    measure: (target, extent) => measureTarget(plan, target, extent, lightLoad),
  });
}

/** Loads one target with requests for random customers. */
export function measureTarget(
  { ids, servers, token, connections, databaseCpuMs }: ComparePlan,
  target: Target,
  extent: Pick<LoadPlan, 'seconds' | 'requests' | 'rate'>,
  run = loadOf,
): Promise<Sample> {
  const server = serverOf(servers, target);
  const next = (): Buffer => {
    const id = ids[Math.floor(Math.random() * ids.length)] ?? '';
    return requestBytes(target.request(id), token, id);
  };
  const meter = { server: () => server.cpuMs(), database: databaseCpuMs };
  return measureLoad({ port: server.port, connections, ...extent, next }, meter, run);
}

/** @throws AssertionError when two targets of a group do not answer with the same values */
async function checkAnswers({ targets, servers, ids, token }: ComparePlan): Promise<void> {
  const expected = new Map<Group, unknown>();
  for (const target of targets) {
    for (const id of [ids[0] ?? '', ids.at(-1) ?? '']) {
      const seen = withoutCursor(target.read(await fetchOnce(portOf(servers, target), target, token, id)));
      const key = `${target.group}/${id}` as Group;
      if (!expected.has(key)) expected.set(key, seen);
      deepStrictEqual(seen, expected.get(key), `${target.name} answers differently (${target.group})`);
    }
  }
}

/** Cursors are sealed by the service: they are each one's own. */
function withoutCursor(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('pagination' in body)) return body;
  return { ...body, pagination: { ...(body.pagination as object), next_cursor: 'set' } };
}

async function fetchOnce(port: number, target: Target, token: string, id: string): Promise<string> {
  const { path, query } = target.request(id);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const init =
    query === undefined ? {} : { method: 'POST', body: JSON.stringify({ query, variables: { id } }) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, ...init });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${target.name}: ${response.status} ${text.slice(0, 300)}`);
  return text;
}

function serverOf(servers: ReadonlyMap<string, ServerProcess>, { server }: Target): ServerProcess {
  const found = servers.get(server);
  if (found === undefined) throw new Error(`There is no server ${server}.`);
  return found;
}

function portOf(servers: ReadonlyMap<string, ServerProcess>, target: Target): number {
  return serverOf(servers, target).port;
}
