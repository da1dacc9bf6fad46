import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { Express } from 'express';

type Constructor = (this: object, ...values: unknown[]) => void;

/**
 * An HTTP server for an express app. Express changes the prototype of every request and response, which throws V8's inline
 * caches away; objects made with those prototypes in the first place turn that change into nothing (twice the throughput).
 */
export function createHttpServer(app: Express, listener: RequestListener): Server {
  const types = {
    IncomingMessage: withPrototype(IncomingMessage, app.request),
    ServerResponse: withPrototype(ServerResponse, app.response),
  };
  return createServer(types, listener);
}

/**
 * A constructor like Node's own whose objects have the prototype given. Node's are plain functions, called on an object that
 * `new` made here: `Reflect.construct` with another target would give every object a hidden class of its own, three times
 * the cost of the whole request.
 */
function withPrototype<T extends new (...values: never[]) => object>(parent: T, prototype: object): T {
  const construct = parent as unknown as Constructor;
  function Made(this: object, ...values: unknown[]): void {
    construct.apply(this, values);
  }
  Made.prototype = prototype;
  return Made as unknown as T;
}
