/** A camel-case name as REST and the database spell it: `externalId` is `external_id`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
