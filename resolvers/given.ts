/** The given arguments: a null optional argument counts as omitted. */
export function given<T extends object>(args: T): { [K in keyof T]?: Exclude<T[K], null | undefined> } {
  const entries = Object.entries(args).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], null | undefined> };
}
