/** Why an attempt has no usable answer. */
export type AttemptErrorCode =
  'forbidden_address' | 'host_not_found' | 'connection_failed' | 'tls_failed' | 'timeout' | 'invalid_answer';

/**
 * An attempt without an answer. The message is ours, never the receiver's. One that the end of this process
 * interrupted does not count, so that no attempt is recorded with that code.
 */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure';

  constructor(
    readonly code: AttemptErrorCode | 'interrupted',
    message: string = code,
  ) {
    super(message);
  }
}
