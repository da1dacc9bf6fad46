/** Questions to other threads or processes, each answered once or, after a time, not at all. */
export class Questions<Answer> {
  private readonly open = new Map<number, (answer: Answer | undefined) => void>();
  private count = 0;

  constructor(private readonly waitMs: number) {}

  /**
   * @param send sends the question with an id, which comes back with the answer
   * @returns undefined when none came
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

  /** Nobody is left to answer those that were asked. */
  giveUp(): void {
    for (const answer of this.open.values()) answer(undefined);
  }
}
