import type { JsonSchema } from './scalarSchema.js';

/** The named schemas of the document. Schemas of the same type and shape share a name. */
export class Components {
  private readonly named = new Map<string, JsonSchema>();

  /**
   * References the schema by the given name or, if another shape has that name, by the name with `Summary`.
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
