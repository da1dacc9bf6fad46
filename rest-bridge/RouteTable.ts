/** The routes of a path. */
interface Place<T> {
  /** Literals; undefined for parameters. */
  segments: readonly (string | undefined)[];
  names: readonly string[];
  byMethod: Map<string, T>;
  /** Its methods, for `Allow`. */
  allow: string[];
}

export interface Match<T> {
  /** Undefined when the path does not support the method. */
  found: T | undefined;
  params: Record<string, string>;
  /** Methods of the path, for `Allow`. */
  allow: readonly string[];
}

/**
 * Finds the routes of a path in time independent of the number of routes. Literal segments take precedence
 * over parameters.
 */
export class RouteTable<T> {
  /**
   * By the number of segments of a path and its second segment, the collection, which is never a parameter.
   */
  private readonly places = new Map<string, Place<T>[]>();

  /** @param path such as `/v1/customers/:customer_id` */
  add(method: string, path: string, value: T): void {
    const parts = path.split('/');
    const segments = parts.map((part) => (part.startsWith(':') ? undefined : part));
    const key = keyOf(parts);
    const group = this.places.get(key) ?? [];
    this.places.set(key, group);
    const known = group.find((place) =>
      place.segments.every((segment, index) => segment === segments[index]),
    );
    if (known !== undefined) {
      known.byMethod.set(method, value);
      known.allow.push(...allowed(method));
      return;
    }
    const names = parts.filter((part) => part.startsWith(':')).map((part) => part.slice(1));
    group.push({ segments, names, byMethod: new Map([[method, value]]), allow: allowed(method) });
    group.sort((a, b) => a.names.length - b.names.length);
  }

  /**
   * @param path path of a URL, without its query; one trailing slash is ignored
   * @throws URIError when a parameter is not well encoded
   */
  find(method: string, path: string): Match<T> | undefined {
    const parts = (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path).split('/');
    const place = this.places.get(keyOf(parts))?.find(({ segments }) => fits(segments, parts));
    if (place === undefined) return undefined;
    const params: Record<string, string> = {};
    let named = 0;
    for (let index = 0; index < parts.length; index += 1) {
      if (place.segments[index] !== undefined) continue;
      params[place.names[named] ?? ''] = decodeURIComponent(parts[index] ?? '');
      named += 1;
    }
    const found = place.byMethod.get(method === 'HEAD' ? 'GET' : method);
    return { found, params, allow: place.allow };
  }
}

function keyOf(parts: readonly string[]): string {
  return `${parts.length} ${parts[2] ?? ''}`;
}

function fits(segments: readonly (string | undefined)[], parts: readonly string[]): boolean {
  return segments.every((segment, index) =>
    segment === undefined ? parts[index] !== '' : segment === parts[index],
  );
}

function allowed(method: string): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}
