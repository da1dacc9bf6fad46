import { Kind, visit } from 'graphql';
import type { DocumentNode } from 'graphql';

/**
 * Refuses what graphql-jit must not compile.
 *
 * It writes literals into the code that it makes and marks dates and infinities among them by texts that begin with
 * `__MAGIC_`: a client's string of that form would be run as code. A member `__proto__` of a literal object is lost.
 *
 * @throws Error naming what stands in the way
 */
export function refuseDeviations(document: DocumentNode): void {
  visit(document, {
    [Kind.STRING]: ({ value }) => refuseMark(value),
    [Kind.NAME]: ({ value }) => {
      refuseMark(value);
      if (value === '__proto__') throw new Error('A name is __proto__.');
    },
  });
}

function refuseMark(text: string): void {
  if (text.includes('__MAGIC_')) throw new Error('A text would become code.');
}
