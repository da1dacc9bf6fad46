import { Ctx, Resolver, Root } from 'type-graphql';
import { Public, RequiresScopes } from '../schema/directives.js';
import { App } from '../schema/types/App.js';
import { Viewer, ViewerAccount } from '../schema/types/Viewer.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { ServiceError } from '../src/errors.js';
import { loadApp } from '../src/loaders/loadApp.js';
import { loadAccount } from '../src/loaders/loadAccount.js';
import { found } from './found.js';
import { NullableField, NullableQuery } from './fields.js';

@Resolver(() => Viewer)
export class ViewerResolver {
  @NullableQuery(
    () => Viewer,
    'Who is signed in, for which app, with which scopes. `UNAUTHENTICATED` without a credential.',
  )
  @Public('A caller learns nothing but what its own credential stands for.')
  viewer(@Ctx() { caller }: RequestContext): Viewer {
    switch (caller.kind) {
      case 'anonymous':
        throw new ServiceError('unauthenticated', caller.reason);
      case 'admin':
        return { kind: 'operator', appId: null, clientId: null, accountId: null, scopes: [] };
      case 'app': {
        const { appId, clientId, accountId, scopes } = caller;
        const kind = accountId === undefined ? 'client' : 'account';
        return { kind, appId, clientId, accountId: accountId ?? null, scopes: [...scopes].toSorted() };
      }
    }
  }

  @NullableField(
    () => ViewerAccount,
    'The account that signed in. Null unless `kind` is `ACCOUNT` and the token has `openid` and `email`.',
  )
  async account(
    @Root() { accountId }: Viewer,
    @Ctx() { services, caller }: RequestContext,
  ): Promise<ViewerAccount | null> {
    const mayKnow = caller.kind === 'app' && caller.mayKnowEmail === true;
    return accountId === null || !mayKnow ? null : found(await loadAccount(services, accountId), 'account');
  }

  @NullableField(() => App, 'The app for which the token was issued; null for an operator.')
  @RequiresScopes(['apps:read'])
  async app(@Root() { appId }: Viewer, @Ctx() { services }: RequestContext): Promise<App | null> {
    return appId === null ? null : found(await loadApp(services, appId), 'app');
  }
}
