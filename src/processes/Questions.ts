/** Maximum wait for the metrics of another thread or process, in milliseconds. */
export const METRICS_MS = 3000;

/** Questions to other threads or processes. Each gets one answer, or none within a time limit. */
export class Questions<Answer> {
  private readonly open = new Map<number, (answer: Answer | undefined) => void>();
  private count = 0;

  constructor(private readonly waitMs: number) {}

  /**
   * @param send sends the question with an id, which is returned with the answer
   * @returns undefined when no answer came
   */
  async ask(send: (id: number) => void): Promise<Answer | undefined> {
    const id = (this.count += 1);
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<Answer | undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), this.waitMs);
      this.open.set(id, resolve);
    });
    send(id);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      this.open.delete(id);
    }
  }

  answer(id: number, answer: Answer): void {
    this.open.get(id)?.(answer);
  }

  /** Ends all open questions without an answer. */
  giveUp(): void {
    for (const answer of this.open.values()) answer(undefined);
  }
}
