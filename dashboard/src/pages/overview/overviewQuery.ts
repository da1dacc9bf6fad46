import { graphql } from '../../gql/index.ts';
import type { OverviewQuery } from '../../gql/graphql.ts';

/** Each part is asked for where the person may see it. */
export const OVERVIEW = graphql(`
  query Overview(
    $window: OverviewWindow!
    $consent: Boolean!
    $facts: Boolean!
    $ingest: Boolean!
    $deliveries: Boolean!
    $requests: Boolean!
  ) {
    overview(window: $window) {
      from
      to
      stepSeconds
      consent @include(if: $consent) {
        customers
        purposes {
          purpose
          customers
          series {
            at
            count
          }
        }
      }
      facts @include(if: $facts) {
        facts
        purposes {
          purpose
          facts
          buckets {
            from
            to
            facts
          }
        }
      }
      ingest @include(if: $ingest) {
        events {
          accepted
          applied
          refused
          failed
          series {
            at
            accepted
            applied
            refused
            failed
          }
        }
        claims {
          accepted
          applied
          refused
          failed
          series {
            at
            accepted
            applied
            refused
            failed
          }
        }
      }
      deliveries @include(if: $deliveries) {
        delivered
        dropped
        failed
        pending
        activeEndpoints
        disabledEndpoints
        failingEndpoints
        oldestPendingAt
        series {
          at
          delivered
          dropped
          failed
        }
      }
      requests @include(if: $requests) {
        requests
        refused
        failed
        p50Ms
        p99Ms
        series {
          at
          requests
          refused
          failed
          p50Ms
          p99Ms
        }
      }
    }
  }
`);

export type Overview = OverviewQuery['overview'];

/** A part of the overview; its absence is told from its not being asked for by the scope. */
export type Part<Name extends keyof Overview> = NonNullable<Overview[Name]>;
