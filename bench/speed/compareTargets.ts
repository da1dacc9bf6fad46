import { deepStrictEqual } from 'node:assert';
import { percentile, runLoad } from './LoadClient.js';
import type { LoadPlan } from './LoadClient.js';
import type { ServerProcess } from './ServerProcess.js';
import { requestBytes } from './Target.js';
import type { Group, Target } from './Target.js';

export interface Sample {
  perSecond: number;
  cpuMsPerRequest: number;
  p50: number;
  p99: number;
}

export interface Measured {
  target: Target;
  samples: Sample[];
}

export interface ComparePlan {
  targets: readonly Target[];
  servers: ReadonlyMap<string, ServerProcess>;
  ids: readonly string[];
  token: () => Promise<string>;
  rounds: number;
  seconds: number;
  connections: number;
  progress: (line: string) => void;
}

type Extent = Pick<LoadPlan, 'seconds' | 'requests'>;

/** Enough for V8 to have settled on its code. */
const WARM_UP: Extent = { seconds: 10, requests: 4000 };

/** Measures every target once per round, one after the other, so that whatever disturbs the machine disturbs all alike. */
export async function compareTargets(plan: ComparePlan): Promise<Measured[]> {
  await checkAnswers(plan);
  const measured = plan.targets.map((target): Measured => ({ target, samples: [] }));
  for (let round = 0; round <= plan.rounds; round += 1) {
    const token = await plan.token();
    for (const { target, samples } of measured) {
      if (round === 0) await measure(plan, target, token, WARM_UP);
      else samples.push(await measure(plan, target, token, { seconds: plan.seconds }));
    }
    plan.progress(round === 0 ? 'warmed up' : `round ${round} of ${plan.rounds}`);
  }
  return measured;
}

/** @throws AssertionError when two targets of a group do not answer with the same values */
async function checkAnswers({ targets, servers, ids, token }: ComparePlan): Promise<void> {
  const bearer = await token();
  const expected = new Map<Group, unknown>();
  for (const target of targets) {
    for (const id of [ids[0] ?? '', ids.at(-1) ?? '']) {
      const seen = withoutCursor(target.read(await fetchOnce(portOf(servers, target), target, bearer, id)));
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
  const init = query === undefined ? {} : { method: 'POST', body: JSON.stringify({ query, variables: { id } }) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, ...init });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${target.name}: ${response.status} ${text.slice(0, 300)}`);
  return text;
}

async function measure(plan: ComparePlan, target: Target, token: string, extent: Extent): Promise<Sample> {
  const server = serverOf(plan.servers, target);
  const { ids } = plan;
  const next = (): Buffer => {
    const id = ids[Math.floor(Math.random() * ids.length)] ?? '';
    return requestBytes(target.request(id), token, id);
  };
  const before = await server.usage();
  const load = await runLoad({ port: server.port, connections: plan.connections, ...extent, next });
  const after = await server.usage();
  if (load.failures > 0) throw new Error(`${target.name}: ${load.failures} failures`);
  return {
    perSecond: load.requests / load.seconds,
    cpuMsPerRequest: (after.cpuMs - before.cpuMs) / load.requests,
    p50: percentile(load, 0.5),
    p99: percentile(load, 0.99),
  };
}

function serverOf(servers: ReadonlyMap<string, ServerProcess>, { server }: Target): ServerProcess {
  const found = servers.get(server);
  if (found === undefined) throw new Error(`There is no server ${server}.`);
  return found;
}

function portOf(servers: ReadonlyMap<string, ServerProcess>, target: Target): number {
  return serverOf(servers, target).port;
}
