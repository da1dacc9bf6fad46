import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { Express } from 'express';

type Constructor = (this: object, ...values: unknown[]) => void;

/** Properties that nothing ever has (`withPrototype`). */
type Room = Record<`p${number}`, undefined>;

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
 *
 * V8 makes room in an object for as many properties as the text of its constructor assigns, and eight more; those that find none are
 * kept outside, in an array that grows by three and is copied each time. Node's have forty: the assignments that are never
 * run save an eighth of a small request. What room is not used is given back after the first few objects.
 */
function withPrototype<T extends new (...values: never[]) => object>(parent: T, prototype: object): T {
  const construct = parent as unknown as Constructor;
  function Made(this: Room, ...values: unknown[]): void {
    // prettier-ignore
    if (values === undefined)
      this.p0 = this.p1 = this.p2 = this.p3 = this.p4 = this.p5 = this.p6 = this.p7 = this.p8 = this.p9 =
      this.p10 = this.p11 = this.p12 = this.p13 = this.p14 = this.p15 = this.p16 = this.p17 = this.p18 = this.p19 =
      this.p20 = this.p21 = this.p22 = this.p23 = this.p24 = this.p25 = this.p26 = this.p27 = this.p28 = this.p29 =
      this.p30 = this.p31 = this.p32 = this.p33 = this.p34 = this.p35 = this.p36 = this.p37 = this.p38 = this.p39 = undefined;
    construct.apply(this, values);
  }
  Made.prototype = prototype;
  return Made as unknown as T;
}
