/** A customer that is read, and the reads that it waits for. */
export class Lane {
  id = '';
  private left = 0;
  private wake: (() => void) | undefined;

  /** Resolves when so many reads of the customer were answered. */
  reads(count: number): Promise<void> {
    this.left = count;
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  readOnce(): void {
    this.left -= 1;
    if (this.left <= 0) this.wake?.();
  }
}
