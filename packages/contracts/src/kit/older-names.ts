/**
 * Names on the bus, in rows and in responses that are older than the glossary, each under the glossary's term.
 *
 * A rename would break calls, and jobs in queues, between processes of two releases (docs/how-to/change-a-contract.md).
 */
export const olderNames = {
  /** Older name of the operation `remoteActivityTarget`. */
  remoteActivityTarget: 'accounts.graph.deed',
  /** Older name of a member of the output of `remoteActivityTarget`: the follow or block that the activity created. */
  activityTarget: 'deed',
  /** Older name of a member of the outputs of `listViewerRelationships` and of the operations next to it. */
  relationships: 'standings',
  /** Older name of the operation `feedRelationships`. */
  feedRelationships: 'accounts.graph.feed-standings',
  /** Older name of the operation `threadStates`. */
  threadStates: 'statuses.thread.standings',
  /** Older name of the operation `mutuallyHidden`. */
  mutuallyHidden: 'accounts.graph.keepers-apart',
  /**
   * Older name of a member of the output of `synchroniseFollowers`: listed accounts without a follow. It is also a
   * member of the job `checkCollectionJob`: items of unknown accounts.
   */
  unknownAccounts: 'strangers',
  /** Older name of the operation `reportFetchResult`. */
  reportFetchResult: 'statuses.status.heed-answer',
  /** Older name of the job `removeAuthorTombstones`. */
  removeAuthorTombstones: 'statuses.unbury-author',
  /** Older name of the stage of a refusal by the inbox endpoint, in rows and in responses of `inboxRefusals`. */
  inboxEndpoint: 'gate',
  /** Older name of the values of an e-mail: a member of the output of `openLoginMail`, and columns of two tables. */
  mailValues: 'facts',
  /** Older name of the header that contains the number of requests in a request batch. */
  requestBatch: 'Convoy',
} as const
