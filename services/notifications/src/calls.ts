/** What notifications asks of services on lower floors; anything else is a type error. */
import {
  accountCards,
  accountRecords,
  audience,
  authorFacts,
  collectionCards,
  emailPage,
  emailsOf,
  letterOpen,
  loginsUsable,
  refusals,
  rolesOf,
  sessionAlive,
  severanceCards,
  viewerFacts,
} from '@murmuration/contracts/accounts'
import type { AnyOperation } from '@murmuration/contracts/kit'
import {
  localBoosters,
  localQuoters,
  peopleListening,
  pollVoters,
  renderByIds,
  threadStandings,
} from '@murmuration/contracts/statuses'

export const calls = [
  accountCards,
  accountRecords,
  audience,
  authorFacts,
  emailPage,
  emailsOf,
  letterOpen,
  collectionCards,
  loginsUsable,
  localBoosters,
  localQuoters,
  peopleListening,
  pollVoters,
  refusals,
  renderByIds,
  rolesOf,
  sessionAlive,
  severanceCards,
  threadStandings,
  viewerFacts,
] as const satisfies readonly AnyOperation[]
