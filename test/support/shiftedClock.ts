/**
 * Moves the wall clock of a process by `CLOCK_SHIFT_MS`, whoever reads it; loaded before anything else
 * (`--import`). The monotonic clock and timers go on as they are, as on a machine whose time is wrong.
 */
const shiftMs = Number(process.env['CLOCK_SHIFT_MS'] ?? 0);
const RealDate = globalThis.Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[]) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + shiftMs] : args) as object,
  apply: (target) => new target(target.now() + shiftMs).toString(),
  get: (target, name) => {
    if (name === 'now') return () => target.now() + shiftMs;
    return Reflect.get(target, name) as unknown;
  },
});
