import { hash } from 'node:crypto';
import type { Query } from '../database/Database.js';

/** A statement built from the requested conditions. Each form of its text is prepared under its own name. */
export class Statement {
  readonly values: unknown[];

  /** @param values values of the first parameters, from `$1` */
  constructor(
    private readonly list: string,
    ...values: unknown[]
  ) {
    this.values = values;
  }

  /** Adds a value and returns its placeholder. */
  bind(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  query(text: string): Query {
    const form = hash('sha256', text, 'base64url').slice(0, 16);
    return { name: `${this.list}_${form}`, text };
  }
}
