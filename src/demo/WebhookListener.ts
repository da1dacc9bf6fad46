import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { readBody } from '../http/readBody.js';
import type { Partner } from './Partner.js';

export interface WebhookListenerOptions {
  events: readonly string[];
  /** The URL to which verified messages are forwarded, with their webhook headers and body. */
  forward: URL | undefined;
  /** @param event the same as JSON */
  tell(line: string, event: object): void;
}

/** Maximum deliveries whose numbers are remembered for redelivery. */
const MAX_KEPT = 1000;
const MAX_BODY_BYTES = 65_536;
const FORWARD_TIMEOUT_MS = 10_000;

/** A webhook endpoint on this machine, registered for an app while it is open. */
export class WebhookListener {
  private readonly server: Server;
  private readonly deliveries: string[] = [];
  private endpointId = '';
  /** What the messages are signed with: whoever they are forwarded to needs it. */
  signingSecret = '';
  private webhook: Webhook | undefined;

  private constructor(
    private readonly partner: Partner,
    private readonly options: WebhookListenerOptions,
  ) {
    this.server = createServer((request, response) => {
      void this.receive(request).then((status) => response.writeHead(status).end());
    });
  }

  static async open(partner: Partner, options: WebhookListenerOptions): Promise<WebhookListener> {
    const listener = new WebhookListener(partner, options);
    await new Promise<void>((resolve) => listener.server.listen(0, '127.0.0.1', resolve));
    try {
      await listener.register();
    } catch (error) {
      listener.server.close();
      throw error;
    }
    return listener;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** Requests redelivery of a message, and tells when that is refused. @param number as displayed, from 1 */
  async redeliver(number: number): Promise<void> {
    const id = this.deliveries[number - 1];
    if (id === undefined) return this.tellProblem(`There is no delivery ${number}.`);
    try {
      await this.partner.send('POST', `/v1/webhook-endpoints/${this.endpointId}/deliveries/${id}/redeliver`);
    } catch (error) {
      this.tellProblem((error as Error).message);
    }
  }

  /** @throws ServiceError when the endpoint could not be removed */
  async close(): Promise<void> {
    try {
      await this.partner.send('DELETE', `/v1/webhook-endpoints/${this.endpointId}`);
    } finally {
      this.server.closeAllConnections();
      await new Promise((resolve) => this.server.close(resolve));
    }
  }

  private tellProblem(problem: string): void {
    this.options.tell(problem, { problem });
  }

  private async register(): Promise<void> {
    const body = { url: this.address, enabled_events: this.options.events };
    const made = await this.partner.send<{ endpoint: { id: string }; signing_secret: string }>(
      'POST',
      '/v1/webhook-endpoints',
      body,
    );
    this.endpointId = made.endpoint.id;
    this.signingSecret = made.signing_secret;
    this.webhook = new Webhook(made.signing_secret);
  }

  /** @returns the response status: that of the forward target, if there is one */
  private async receive(request: IncomingMessage): Promise<number> {
    const id = String(request.headers['webhook-id']);
    let body = '';
    try {
      body = String(await readBody(request, { limit: MAX_BODY_BYTES }));
      this.webhook?.verify(body, request.headers as Record<string, string>);
    } catch {
      const problem = 'the signature is wrong';
      this.options.tell(`✗ ${id}: ${problem}`, { id, problem });
      return 400;
    }
    const { forward } = this.options;
    const { type, data } = JSON.parse(body) as { type: string; data: unknown };
    const status = await this.handOn(body, request.headers);
    const number = this.numberOf(id);
    const answered = forward === undefined ? {} : { forwarded: status.code };
    this.options.tell(`${number}  ${type}  ${JSON.stringify(data)}${status.note}`, {
      number,
      id,
      type,
      data,
      ...answered,
    });
    return status.code;
  }

  private numberOf(id: string): number {
    const known = this.deliveries.indexOf(id);
    if (known >= 0) return known + 1;
    if (this.deliveries.length === MAX_KEPT) this.deliveries.length = 0;
    return this.deliveries.push(id);
  }

  private async handOn(body: string, headers: IncomingHttpHeaders): Promise<{ code: number; note: string }> {
    const { forward } = this.options;
    if (forward === undefined) return { code: 204, note: '' };
    const kept = Object.entries(headers).filter(
      ([name]) => name.startsWith('webhook-') || name === 'content-type',
    );
    const signal = AbortSignal.timeout(FORWARD_TIMEOUT_MS);
    try {
      const answer = await fetch(forward, {
        method: 'POST',
        headers: Object.fromEntries(kept) as Record<string, string>,
        body,
        signal,
        // The service follows none either.
        redirect: 'manual',
      });
      await answer.arrayBuffer();
      return { code: answer.status, note: `  → ${answer.status}` };
    } catch (error) {
      const { cause, message } = error as Error;
      return { code: 502, note: `  → not delivered: ${cause instanceof Error ? cause.message : message}` };
    }
  }
}
