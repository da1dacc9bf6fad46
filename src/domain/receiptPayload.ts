/** The content of a signed receipt, in REST spelling. */
export interface SignableReceipt {
  id: string;
  appId: string;
  customerId: string;
  status: string;
  purposes: readonly {
    purpose: string;
    status: string;
    grantedAt?: string | null;
    revokedAt?: string | null;
  }[];
  termsVersion?: string | null;
  privacyPolicyVersion?: string | null;
  grantedAt: string;
  revokedAt?: string | null;
}

/** The `typ` of a receipt's JWS. Receipts that were signed before it was introduced have none. */
export const RECEIPT_TYPE = 'consent-receipt+jwt';

/** The payload of a receipt's JWS: JWT claims (RFC 7519) and the receipt as in REST, without evidence. */
export function receiptPayload(receipt: SignableReceipt, issuer: string): Record<string, unknown> {
  return {
    iss: issuer,
    sub: receipt.customerId,
    aud: receipt.appId,
    jti: receipt.id,
    iat: Math.floor(Date.parse(receipt.grantedAt) / 1000),
    consent_receipt: {
      id: receipt.id,
      status: receipt.status,
      purposes: receipt.purposes.map(({ purpose, status, grantedAt, revokedAt }) => ({
        purpose,
        status,
        ...optional('granted_at', grantedAt),
        ...optional('revoked_at', revokedAt),
      })),
      ...optional('terms_version', receipt.termsVersion),
      ...optional('privacy_policy_version', receipt.privacyPolicyVersion),
      granted_at: receipt.grantedAt,
      ...optional('revoked_at', receipt.revokedAt),
    },
  };
}

function optional(name: string, value: string | null | undefined): Record<string, string> {
  return value === null || value === undefined ? {} : { [name]: value };
}
