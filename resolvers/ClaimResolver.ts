import { Arg, Ctx, Resolver } from 'type-graphql';
import { RequiresScopes } from '../schema/directives.js';
import { IngestClaimInput, IngestClaimsInput } from '../schema/inputs/ClaimInput.js';
import { Claim, IngestClaimPayload, IngestClaimsPayload } from '../schema/types/Claim.js';
import type { RequestContext } from '../src/access/RequestContext.js';
import { runCommand } from '../src/commands/runCommand.js';
import { INGEST_CLAIM, ingestClaims } from '../src/commands/ingestClaims.js';
import { runGrouped } from '../src/commands/runGrouped.js';
import { Command } from './Command.js';

@Resolver(() => Claim)
export class ClaimResolver {
  @Command(
    () => IngestClaimPayload,
    'Accepts one claim: durable when this answers, applied soon after, in order.',
  )
  @RequiresScopes(['events:write'])
  ingestClaim(
    @Arg('input', () => IngestClaimInput) input: IngestClaimInput,
    @Ctx() context: RequestContext,
  ): Promise<IngestClaimPayload> {
    return runGrouped(context, INGEST_CLAIM, input);
  }

  @Command(() => IngestClaimsPayload, 'Accepts up to 500 claims, each on its own, in order.')
  @RequiresScopes(['events:write'])
  ingestClaims(
    @Arg('input', () => IngestClaimsInput) input: IngestClaimsInput,
    @Ctx() context: RequestContext,
  ): Promise<IngestClaimsPayload> {
    return runCommand(context, (tx, command) => ingestClaims(tx, command, input));
  }
}
