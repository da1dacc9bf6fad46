/** Why an attempt has no usable answer. */
export type AttemptErrorCode =
  | 'forbidden_address'
  | 'host_not_found'
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'
  | 'invalid_answer'
  | 'interrupted';

/** An attempt without an answer. The message is ours, never the receiver's. */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure';

  constructor(
    readonly code: AttemptErrorCode,
    message: string = code,
  ) {
    super(message);
  }
}
