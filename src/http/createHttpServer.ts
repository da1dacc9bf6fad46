import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';

/**
 * An HTTP server for an express app. Express changes the prototype of every request and response, which throws V8's inline
 * caches away; objects made with those prototypes in the first place turn that change into nothing (twice the throughput).
 */
export function createHttpServer(app: Express): Server {
  function AppRequest(this: IncomingMessage, socket: Socket): IncomingMessage {
    return Reflect.construct(IncomingMessage, [socket], AppRequest) as IncomingMessage;
  }
  AppRequest.prototype = app.request;
  function AppResponse(this: ServerResponse, request: IncomingMessage, options?: object): ServerResponse {
    return Reflect.construct(ServerResponse, [request, options], AppResponse) as ServerResponse;
  }
  AppResponse.prototype = app.response;
  const types = { IncomingMessage: AppRequest, ServerResponse: AppResponse } as unknown as {
    IncomingMessage: typeof IncomingMessage;
    ServerResponse: typeof ServerResponse;
  };
  return createServer(types, app as unknown as RequestListener);
}
