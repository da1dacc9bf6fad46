/** How often the event loop went round while work was done. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let working = true;
  const count = (): void => {
    turns += 1;
    if (working) setImmediate(count);
  };
  setImmediate(count);
  await work();
  working = false;
  return turns;
}
