import { isAllowed } from '../access/consentGate.js';
import type { GateHead } from '../access/consentGate.js';
import { PLACE_OF } from '../domain/purposes.js';
import type { Purpose } from '../domain/purposes.js';
import type { ErrorDetail } from '../errors.js';

/** The problem of a `customer_id` that the app has not. */
export function unknownCustomer(): ErrorDetail {
  return { code: 'unknown_reference', message: 'is not a customer of this app', field: 'customer_id' };
}

/** The problems of purposes that the app may not use. @param field the list that names them */
export function purposeProblems(
  head: Pick<GateHead, 'allowed_mask'>,
  purposes: readonly Purpose[],
  field: string,
): ErrorDetail[] {
  return purposes.flatMap((purpose, index) =>
    isAllowed(head, PLACE_OF[purpose])
      ? []
      : [
          {
            code: 'purpose_not_allowed',
            message: `${purpose} is not among the app's allowed_consent_purposes`,
            field: `${field}[${index}]`,
          },
        ],
  );
}
