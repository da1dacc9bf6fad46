import { canonicalJson } from '../../../src/domain/canonicalJson.js';
import { freshKey } from '../../support/TestPartner.js';
import type { Body, Call, Door, Outcome } from './doors.js';
import { isRead } from './doors.js';
import type { Tenant } from './Model.js';
import { follow, settle } from './Model.js';
import { APPS } from './steps.js';
import type { Draw, Kind, Plan, Step } from './steps.js';

/** A call, of which app, and where it is sent to. */
export interface Sending extends Call {
  app: number;
  door: Door;
  node: number;
}

/** The service that a sequence runs against. */
export interface Real {
  send: (sending: Sending) => Promise<Outcome>;
  /** Waits until the workers have nothing to do for the apps. */
  idle: () => Promise<void>;
}

interface Seen {
  sending: Sending;
  outcome: Outcome;
}

/** A run of a sequence, against the service and beside the model. */
export class World {
  answers = 0;
  /** What was sent and answered. */
  readonly trace: string[] = [];
  /**
   * The states that explain all answers so far: one, but after requests at the same time, of which either may
   * have been the first.
   */
  private states: Tenant[][];
  /** Mutations, the oldest first. */
  private readonly sent: Sending[] = [];
  /** Ids that answers told each app, the oldest first; those of what was erased stay. */
  private readonly known: Record<Kind, string[]>[];

  constructor(
    private readonly real: Real,
    appIds: readonly string[],
  ) {
    this.known = appIds.map((id) => ({ apps: [id], customers: [], receipts: [], entries: [] }));
    const tenants = APPS.map((granted, at) => ({ appId: appIds[at] ?? '', granted, allowed: granted }));
    this.states = [tenants.map((tenant) => ({ ...tenant, customers: [], entries: {}, keys: {} }))];
  }

  /** @throws Error at the first answers that no state explains */
  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.take(step);
  }

  private async take(plans: Step): Promise<void> {
    if (plans.length === 0) return this.settle();
    const sendings = plans.map((plan) => this.sendingOf(plan, plans.length > 1));
    const outcomes = await Promise.all(sendings.map((sending) => this.real.send(sending)));
    const seen = sendings.map((sending, at) => ({ sending, outcome: outcomes[at] as Outcome }));
    this.answers += seen.length;
    this.trace.push(seen.map(tell).join('\n  and at the same time\n'));
    this.explain(seen);
    for (const one of seen) this.learn(one);
  }

  private async settle(): Promise<void> {
    await this.real.idle();
    this.trace.push('The workers are idle.');
    for (const tenant of this.states.flat()) settle(tenant);
  }

  private explain(seen: readonly Seen[]): void {
    const reasons = new Set<string>();
    const states = new Map<string, Tenant[]>();
    for (const before of this.states)
      for (const order of [seen, seen.toReversed()])
        try {
          const state = structuredClone(before);
          for (const { sending, outcome } of order) follow(state[sending.app] as Tenant, sending, outcome);
          states.set(canonicalJson(state), state);
        } catch (error) {
          reasons.add(error instanceof Error ? error.message : String(error));
        }
    if (states.size === 0)
      throw new Error(`The model does not explain the last answer: ${[...reasons].join(' | ')}`);
    this.states = [...states.values()];
  }

  private sendingOf({ again, under, ...plan }: Plan, isBesideOther: boolean): Sending {
    const { app, door, node, operation } = plan;
    const earlier = latestBut(again ?? under ?? 0, this.sent);
    if (again !== undefined && earlier !== undefined) return { ...earlier, app, door, node };
    const input = this.lookUp(app, plan.input) as Body;
    const sending = {
      ...plan,
      id: plan.id && this.idOf(app, plan.id),
      // A list of several pages is several requests.
      input: isBesideOther && 'limit' in input ? { ...input, limit: 100 } : input,
      key: isRead(operation) ? undefined : ((under === undefined ? undefined : earlier?.key) ?? freshKey()),
    };
    if (!isRead(operation)) this.sent.push(sending);
    return sending;
  }

  /** The value with ids for draws. */
  private lookUp(app: number, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.lookUp(app, item));
    if (typeof value !== 'object' || value === null) return value;
    if ('draw' in value) return this.idOf(app, value as Draw);
    return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, this.lookUp(app, of)]));
  }

  private idOf(app: number, { draw, back, ofOther }: Draw): string {
    const ids = this.known[ofOther ? 1 - app : app]?.[draw] ?? [];
    return latestBut(back, ids) ?? 'cus_01kazz0000e008000000000000';
  }

  private learn({ sending: { app, operation }, outcome: { code, body } }: Seen): void {
    if (code !== undefined || isRead(operation)) return;
    const receipt = operation === 'createConsentReceipt' ? body.id : undefined;
    const told = { customers: body?.customer?.id, receipts: receipt, entries: body?.entry?.entry_id };
    for (const kind of ['customers', 'receipts', 'entries'] as const)
      if (told[kind] !== undefined) this.known[app]?.[kind].push(told[kind]);
  }
}

/** So many before the latest, counted in a circle, so that it is there when steps are left out. */
function latestBut<T>(back: number, items: readonly T[]): T | undefined {
  return items.at(-1 - (back % Math.max(items.length, 1)));
}

function tell({ sending, outcome: { status = 200, body } }: Seen): string {
  const { app, door, node, operation, ...asked } = sending;
  return `App ${app} by ${door} at node ${node}: ${operation} ${JSON.stringify(asked)}
  ${status} ${JSON.stringify(body)}`;
}
