import { createHash } from 'node:crypto';
import type { Query } from '../database/Database.js';

/**
 * A statement put together from the conditions that are asked for; each form of its text is prepared under a
 * name of its own.
 */
export class Statement {
  readonly values: unknown[];

  /** @param values of the first parameters, from `$1` */
  constructor(
    private readonly list: string,
    ...values: unknown[]
  ) {
    this.values = values;
  }

  /** The placeholder of the value. */
  bind(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  query(text: string): Query {
    const form = createHash('sha256').update(text).digest('base64url').slice(0, 16);
    return { name: `${this.list}_${form}`, text };
  }
}
