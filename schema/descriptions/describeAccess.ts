import type { FieldAccess } from '../../src/access/FieldAccess.js';

/** Describes the scopes and the consent gate of a field in one or two sentences. */
export function describeAccess({ scopes, admin, publicReason, consent }: FieldAccess): string {
  const alternatives = (scopes ?? []).map((combination) =>
    combination.map((scope) => `\`${scope}\``).join(' and '),
  );
  if (admin) alternatives.push('an administrative key');
  const sentences = alternatives.length === 0 ? [] : [`Needs ${alternatives.join(', or ')}.`];
  if (publicReason !== undefined) sentences.push(`Open to every credential: ${publicReason}`);
  if (consent !== undefined) sentences.push(gateOf(consent));
  return sentences.join(' ');
}

function gateOf({ purpose, argument }: NonNullable<FieldAccess['consent']>): string {
  if (purpose !== undefined) return `Behind the consent gate of \`${purpose}\`.`;
  return argument === undefined
    ? 'Behind the consent gate of the purpose that each item carries.'
    : `Behind the consent gate: of \`${argument}\` where it is given, else only what is granted now is in it.`;
}
