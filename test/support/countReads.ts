/** An object that counts how often its members are read. */
export function countReads(of: object): { value: object; reads: () => number } {
  let reads = 0;
  const value = new Proxy(of, {
    get: (target, name, receiver): unknown => {
      reads += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  return { value, reads: () => reads };
}
