/**
 * Requests so far by the longest they took, in milliseconds: the buckets of a histogram, the last without a
 * bound.
 */
export type Durations = readonly (readonly [upToMs: number, requests: number])[];

const BUCKET = /^http_request_duration_seconds_bucket\{(.*)\} (\d+)$/;

/** What the service itself has measured of a route, from its `/metrics`. */
export async function requestDurations(port: number, route: string): Promise<Durations> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const lines = (await response.text()).split('\n');
  return lines.flatMap((line) => {
    const [, labels = '', requests] = BUCKET.exec(line) ?? [];
    const [, bound] = /\ble="([^"]+)"/.exec(labels) ?? [];
    if (bound === undefined || !labels.includes(`route="${route}"`)) return [];
    return [[bound === '+Inf' ? Infinity : Number(bound) * 1000, Number(requests)] as const];
  });
}

/**
 * The duration that a share of the requests between two readings stayed under, within its bucket by
 * interpolation as Prometheus does.
 */
export function durationQuantile(before: Durations, after: Durations, share: number): number {
  const counted = after.map(
    ([upToMs, requests], index) => [upToMs, requests - (before[index]?.[1] ?? 0)] as const,
  );
  const wanted = share * (counted.at(-1)?.[1] ?? 0);
  let below: readonly [upToMs: number, requests: number] = [0, 0];
  for (const bucket of counted) {
    if (bucket[1] >= wanted && bucket[0] !== Infinity)
      return below[0] + ((bucket[0] - below[0]) * (wanted - below[1])) / Math.max(1, bucket[1] - below[1]);
    below = bucket;
  }
  return Infinity;
}
