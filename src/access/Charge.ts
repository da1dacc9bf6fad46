import type { Caller } from './Caller.js';
import type { OperationClass, RateLimiter, RateState } from './RateLimiter.js';
import type { Turns } from '../concurrency/Turns.js';

/** Resources that one point pays for. */
const RESOURCES_PER_POINT = 25;

/** So many characters, read or sent, count as a resource at least, as they take time by their number. */
const CHARACTERS_PER_RESOURCE = 4096;

/** The resources as which a text counts, at least. */
export function resourcesOf(characters: number): number {
  return Math.floor(characters / CHARACTERS_PER_RESOURCE);
}

/** So many values of a body cost a point at least: each is checked, compared and stored. */
const VALUES_PER_POINT = 500;

/** The points of a request that reads so many resources. */
export function pointsFor(resources: number): number {
  return Math.max(1, Math.ceil(resources / RESOURCES_PER_POINT));
}

/** Turns per point beyond the first: a read of hundreds of resources runs almost alone. */
const WEIGHT = 4;

export interface Bounds {
  turns: Turns;
  operationClass: OperationClass;
  /** Resources that the operation may read. */
  resources: number;
}

/**
 * The charge of one request. It pays a point at its begin and the maximum of its operation before that runs.
 * What it did not read is refunded.
 */
export class Charge {
  /** The remaining budget of the limit that the request counts against. */
  rate: RateState | undefined;
  /** Resources that were read. */
  resources = 0;
  /** The cost of the request so far, in points. */
  points = 0;
  private readonly appId: string | undefined;
  private deposit: OperationClass | undefined;
  /** Points for reading, beyond the first. */
  private paid = 0;
  /** Points for the values of the body, beyond the first. */
  private paidForBody = 0;

  constructor(
    private readonly limiter: RateLimiter,
    caller: Caller,
  ) {
    this.appId = caller.kind === 'app' ? caller.appId : undefined;
  }

  /** The request itself: one point. @throws ServiceError `rate_limited` */
  async begin(operationClass: OperationClass): Promise<void> {
    await this.take(operationClass, 1);
    this.deposit = operationClass;
  }

  /** The values of the request's body, which has paid the first point. @throws ServiceError `rate_limited` */
  async takeBody(operationClass: OperationClass, values: number): Promise<void> {
    const due = Math.ceil(values / VALUES_PER_POINT) - 1;
    if (due <= 0) return;
    await this.take(operationClass, due);
    this.paidForBody = due;
  }

  /**
   * An operation of a class: a write, or so many ingested items. The request has paid the first point, and
   * those for its body.
   * @throws ServiceError `rate_limited`
   */
  async spend(operationClass: OperationClass, points: number): Promise<void> {
    const { deposit, paidForBody } = this;
    this.deposit = undefined;
    this.paidForBody = 0;
    if (deposit !== undefined && deposit !== operationClass) await this.correct(deposit, -1);
    const due = (deposit === operationClass ? points - 1 : points) - paidForBody;
    if (due > 0) await this.take(operationClass, due);
  }

  /**
   * Runs an operation within its app's limits: it pays for its maximum, waits for the app's turn, and is
   * corrected by what it read. A revocation waits for no turn.
   *
   * @throws ServiceError `rate_limited`
   */
  async run<T>({ turns, operationClass, resources }: Bounds, work: () => T | Promise<T>): Promise<T> {
    const due = pointsFor(resources) - 1;
    if (due > 0) await this.take('read', due);
    this.paid = due;
    try {
      if (this.appId === undefined || operationClass === 'revoke') return await work();
      return await turns.run(this.appId, work, WEIGHT * this.paid + 1);
    } finally {
      await this.settle();
    }
  }

  /** Corrects the charge by the length of the answer, if that is more than what was read has paid for. */
  async answer(characters: number): Promise<void> {
    const resources = Math.ceil(characters / CHARACTERS_PER_RESOURCE);
    if (resources <= RESOURCES_PER_POINT || resources <= this.resources) return;
    this.resources = resources;
    await this.settle();
  }

  /** Corrects the charge by what was read. */
  async settle(): Promise<void> {
    const due = pointsFor(this.resources) - 1;
    if (due !== this.paid) await this.correct('read', due - this.paid);
    this.paid = due;
  }

  private async take(operationClass: OperationClass, points: number): Promise<void> {
    if (this.appId !== undefined) this.rate = await this.limiter.take(this.appId, operationClass, points);
    this.points += points;
  }

  private async correct(operationClass: OperationClass, points: number): Promise<void> {
    this.points += points;
    if (this.appId === undefined) return;
    const rate = await this.limiter.correct(this.appId, operationClass, points);
    if (this.rate?.operationClass === operationClass) this.rate = rate;
  }
}
