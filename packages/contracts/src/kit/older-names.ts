/**
 * Names on the bus that are older than the glossary, each under the glossary's term.
 *
 * A rename would break calls, and jobs in queues, between processes of two releases (docs/how-to/change-a-contract.md).
 */
export const olderNames = {
  /** Operation `remoteActivityTarget`. */
  remoteActivityTarget: 'accounts.graph.deed',
  /** Member of its output: the follow or block that the activity created. */
  activityTarget: 'deed',
  /** Member of the outputs of `viewerFacts`, `viewersFacts` and `authorFacts`. */
  relationships: 'standings',
  /** Operation `feedRelationships`. */
  feedRelationships: 'accounts.graph.feed-standings',
  /** Operation `threadStates`. */
  threadStates: 'statuses.thread.standings',
  /** Operation `mutuallyHidden`. */
  mutuallyHidden: 'accounts.graph.keepers-apart',
  /** Member of the output of `synchroniseFollowers`: listed accounts without a follow. Member of the job `checkCollectionJob`: items of unknown accounts. */
  unknownAccounts: 'strangers',
  /** Operation `reportFetchResult`. */
  reportFetchResult: 'statuses.status.heed-answer',
  /** Job `removeAuthorTombstones`. */
  removeAuthorTombstones: 'statuses.unbury-author',
  /** Header of a request batch: number of its requests. */
  requestBatch: 'Convoy',
} as const
