/** The floor plan of accounts: people, their credentials, and how they stand to each other. */
import {
  acceptRequestsJob,
  accountChanged,
  accountHint,
  accountJoined,
  accountMoved,
  accountRebuilt,
  accountRemoved,
  blockCreated,
  blockRemoved,
  bookmarksWanted,
  carryOverJob,
  checkCollectionJob,
  collectionChanged,
  collectionCreated,
  collectionItemAdded,
  collectionItemRemoved,
  collectionRemoved,
  domainBlocked,
  filtersWanted,
  followCreated,
  followRemoved,
  followRequested,
  followRequestRemoved,
  handOverJob,
  identityBegin,
  identityFinish,
  importJob,
  keepDigestsJob,
  letterWritten,
  listChanged,
  moderateDomainJob,
  muteCreated,
  muteRemoved,
  preferencesChanged,
  refreshRemoteJob,
  relationshipsSevered,
  remoteRead,
  renewFollowsJob,
  statusCountHint,
  syncCollectionsJob,
  tokenHint,
  tokenRevoked,
  verifyLinksJob,
} from '@murmuration/contracts/accounts'
import {
  fetchActor,
  fetchFeatureAuthorization,
  fetchFeaturedCollection,
  fetchFeaturedCollections,
  fetchLinkBack,
} from '@murmuration/contracts/federation'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { dropPictures, emojiFind, makePicture, proxyUrls } from '@murmuration/contracts/media'
import { liveUser } from '@murmuration/contracts/statuses'
import { service } from '@murmuration/kernel'
import { jobs } from './jobs/index.js'
import { operations } from './operations/index.js'
import { reactions } from './reactions/index.js'
import { ticks } from './ticks/index.js'

/** Operations of lower floors that accounts asks. */
export const calls = [
  dropPictures,
  emojiFind,
  fetchActor,
  fetchFeatureAuthorization,
  fetchFeaturedCollection,
  fetchFeaturedCollections,
  fetchLinkBack,
  makePicture,
  proxyUrls,
] as const satisfies readonly AnyOperation[]

/** Signing in with a provider, which alone needs the way out. */
const abroad: readonly AnyOperation[] = [identityBegin, identityFinish]
const answered = operations.map((door) => door.operation).filter((one) => !abroad.includes(one))

export const manifest = service('accounts', {
  operations,
  reactions,
  jobs,
  ticks,
  calls,
  announces: [
    accountChanged,
    accountMoved,
    accountJoined,
    accountRebuilt,
    accountRemoved,
    blockCreated,
    blockRemoved,
    bookmarksWanted,
    collectionChanged,
    collectionCreated,
    collectionItemAdded,
    collectionItemRemoved,
    collectionRemoved,
    domainBlocked,
    filtersWanted,
    followCreated,
    followRemoved,
    followRequestRemoved,
    followRequested,
    letterWritten,
    listChanged,
    muteCreated,
    muteRemoved,
    preferencesChanged,
    relationshipsSevered,
    remoteRead,
    tokenRevoked,
  ],
  hints: [accountHint, statusCountHint, tokenHint],
  live: [liveUser],
  roles: {
    api: {
      operations: answered,
      scales: 'requests',
      needs: ['postgres', 'nats', 'blob'],
      replicas: { min: 2, max: 20 },
    },
    identity: {
      operations: abroad,
      scales: 'sign-ins with a provider',
      needs: ['postgres', 'nats', 'internet'],
      replicas: { min: 1, max: 4 },
    },
    reactor: {
      reactions: true,
      ticks: true,
      jobs: [
        acceptRequestsJob,
        carryOverJob,
        checkCollectionJob,
        handOverJob,
        importJob,
        keepDigestsJob,
        moderateDomainJob,
        refreshRemoteJob,
        renewFollowsJob,
        syncCollectionsJob,
        verifyLinksJob,
      ],
      scales: 'follow events',
      needs: ['postgres', 'nats'],
      replicas: { min: 2, max: 10 },
    },
  },
})
