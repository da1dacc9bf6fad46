import { Arg, Args, Ctx, ID, Resolver, Root } from 'type-graphql';
import type { Connection } from '../schema/connection.js';
import { Admin, RequiresScopes } from '../schema/directives.js';
import { CreateAppInput, RotateAppSecretInput, UpdateAppInput } from '../schema/inputs/AppInput.js';
import { App, AppSecretPayload, CreateAppPayload } from '../schema/types/App.js';
import { AppMemberConnection } from '../schema/types/AppMember.js';
import type { AppMember } from '../schema/types/AppMember.js';
import { PageArgs } from '../schema/PageArgs.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { createApp } from '../src/commands/createApp.js';
import { runCommand } from '../src/commands/runCommand.js';
import { rotateAppSecret } from '../src/commands/rotateAppSecret.js';
import { updateApp } from '../src/commands/updateApp.js';
import { listAppMembers } from '../src/loaders/listAppMembers.js';
import { loadApp } from '../src/loaders/loadApp.js';
import { receiverPolicy } from '../src/domain/webhooks/receiverPolicy.js';
import { logoPath } from '../src/domain/logoPath.js';
import { found } from './found.js';
import { Command } from './Command.js';
import { NonNullQuery, NullableField, NullableQuery, Optional } from './fields.js';

@Resolver(() => App)
export class AppResolver {
  @NullableQuery(() => App, 'A partner app. A token reads its own app; the administrative key reads any.')
  @RequiresScopes(['apps:read'])
  @Admin()
  async app(@Arg('id', () => ID) id: string, @Ctx() context: RequestContext): Promise<App> {
    const { caller, services } = context;
    const own = caller.kind === 'admin' || (caller.kind === 'app' && caller.appId === id);
    return found(own ? await loadApp(services, id) : undefined, 'app');
  }

  @NullableField(
    () => String,
    'Where the logo is served: a square PNG of 192 pixels. Its address changes with it. Set by the operator.',
  )
  logoUri(@Root() { id, logoDigest }: App, @Ctx() { services }: RequestContext): string | null {
    return typeof logoDigest === 'string' ? `${services.config.baseUrl}${logoPath(id, logoDigest)}` : null;
  }

  @NonNullQuery(
    () => AppMemberConnection,
    'Accounts that work for the app, and what they may do with it; the newest account first.',
  )
  @RequiresScopes(['apps:read'])
  appMembers(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<AppMember>> {
    return listAppMembers(context, page);
  }

  @Command(() => CreateAppPayload, 'Registers a partner app; its secret is shown once.')
  @Admin()
  createApp(
    @Arg('input', () => CreateAppInput) input: CreateAppInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateAppPayload> {
    const policy = receiverPolicy(context.services.config);
    return runCommand(context, (tx, command) => createApp(tx, command, input, policy), { secret: true });
  }

  @Command(() => App, 'Changes an app; a disabled one is refused everywhere at once.')
  @RequiresScopes(['apps:write'])
  @Admin()
  updateApp(
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateAppInput) input: UpdateAppInput,
    @Ctx() context: RequestContext,
  ): Promise<App> {
    return runCommand(context, (tx, command) => updateApp(tx, command, id, input));
  }

  @Command(
    () => AppSecretPayload,
    'A new client secret; the present one is good for 24 hours more, unless it is to end now.',
  )
  @RequiresScopes(['apps:write'])
  @Admin()
  rotateAppSecret(
    @Arg('id', () => ID) id: string,
    @Optional('input', () => RotateAppSecretInput) input: RotateAppSecretInput | undefined,
    @Ctx() context: RequestContext,
  ): Promise<AppSecretPayload> {
    return runCommand(context, (tx, command) => rotateAppSecret(tx, command, id, input), { secret: true });
  }
}
