/** An operator's command that cannot be carried out. The message gives the reason and the remedy. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
