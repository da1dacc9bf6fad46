import type { JsonSchema } from './scalarSchema.js';

/** The named schemas of the document. What is of one type and one shape has one name. */
export class Components {
  private readonly named = new Map<string, JsonSchema>();

  /**
   * A reference to the schema, by the name given or, where another shape has it, by that of its `Summary`.
   */
  refer(name: string, schema: JsonSchema): JsonSchema {
    const known = [name, `${name}Summary`].find((candidate) => this.isFree(candidate, schema));
    if (known === undefined) throw new Error(`Schemas of three shapes are named ${name}.`);
    this.named.set(known, schema);
    return { $ref: `#/components/schemas/${known}` };
  }

  /** All schemas, by name. */
  get schemas(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.named].toSorted(([a], [b]) => a.localeCompare(b)));
  }

  private isFree(name: string, schema: JsonSchema): boolean {
    const present = this.named.get(name);
    return present === undefined || JSON.stringify(present) === JSON.stringify(schema);
  }
}
