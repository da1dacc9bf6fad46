import { isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { accessOf } from '../src/access/FieldAccess.js';
import type { FieldAccess } from '../src/access/FieldAccess.js';

const HEADER = `# Who may use which field

Made by \`npm run schema:print\` from the directives of the schema; a test fails when it is out of date. A
field that is not listed is as open as the field that led to it. In each cell of scopes, \`a + b\` needs both
and \`a or b\` either.

| field | scopes | consent | REST |
|---|---|---|---|
`;

/** A table of every guarded field: scopes, consent, and the REST routes that lead to it. */
export function printAccess(schema: GraphQLSchema, routesOf: (field: string) => readonly string[]): string {
  const rows: string[] = [];
  for (const type of Object.values(schema.getTypeMap()).toSorted((a, b) => a.name.localeCompare(b.name))) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields()).toSorted((a, b) => a.name.localeCompare(b.name))) {
      const access = accessOf(schema, field);
      const name = `${type.name}.${field.name}`;
      if (access)
        rows.push(
          `| \`${name}\` | ${scopesCell(access)} | ${consentCell(access)} | ${routesOf(name).join('<br>')} |`,
        );
    }
  }
  return `${HEADER}${rows.join('\n')}\n`;
}

function scopesCell({ scopes, admin, publicReason }: FieldAccess): string {
  const alternatives = (scopes ?? []).map((combination) =>
    combination.map((scope) => `\`${scope}\``).join(' + '),
  );
  if (admin) alternatives.push('administrative key');
  if (publicReason !== undefined) alternatives.push(`public: ${publicReason}`);
  return alternatives.join(' or ');
}

function consentCell({ consent }: FieldAccess): string {
  if (consent === undefined) return '';
  if (consent.purpose !== undefined) return `\`${consent.purpose}\``;
  return consent.argument === undefined
    ? "each item's own purpose"
    : `argument \`${consent.argument}\`, else every purpose granted now`;
}
