/** The floor plan of accounts: people, their credentials, and how they stand to each other. */
import {
  acceptRequestsJob,
  accountChanged,
  accountCreated,
  accountHint,
  accountJoined,
  accountMoved,
  accountRemoved,
  blockCreated,
  blockRemoved,
  carryOverJob,
  collectionChanged,
  collectionItemAdded,
  collectionItemRemoved,
  collectionRemoved,
  domainBlocked,
  domainUnblocked,
  followCreated,
  followRemoved,
  followRequested,
  followRequestRemoved,
  letterWritten,
  listChanged,
  moderateDomainJob,
  muteCreated,
  muteRemoved,
  preferencesChanged,
  refreshRemoteJob,
  remoteRead,
  tokenHint,
  tokenRevoked,
  verifyLinksJob,
} from '@murmuration/contracts/accounts'
import { fetchActor, fetchLinkBack } from '@murmuration/contracts/federation'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { dropPictures, makePicture, proxyUrls } from '@murmuration/contracts/media'
import { service } from '@murmuration/kernel'
import { jobs } from './jobs/index.js'
import { operations } from './operations/index.js'
import { reactions } from './reactions/index.js'
import { ticks } from './ticks/index.js'

/** Operations of lower floors that accounts asks. */
export const calls = [
  dropPictures,
  fetchActor,
  fetchLinkBack,
  makePicture,
  proxyUrls,
] as const satisfies readonly AnyOperation[]

export const manifest = service('accounts', {
  operations,
  reactions,
  jobs,
  ticks,
  calls,
  announces: [
    accountChanged,
    accountCreated,
    accountMoved,
    accountJoined,
    accountRemoved,
    blockCreated,
    blockRemoved,
    collectionChanged,
    collectionItemAdded,
    collectionItemRemoved,
    collectionRemoved,
    domainBlocked,
    domainUnblocked,
    followCreated,
    followRemoved,
    followRequestRemoved,
    followRequested,
    letterWritten,
    listChanged,
    muteCreated,
    muteRemoved,
    preferencesChanged,
    remoteRead,
    tokenRevoked,
  ],
  hints: [accountHint, tokenHint],
  live: ['user'],
  roles: {
    api: { operations: true, scales: 'requests', needs: ['postgres', 'nats'], replicas: { min: 2, max: 20 } },
    reactor: {
      reactions: true,
      ticks: true,
      jobs: [acceptRequestsJob, carryOverJob, moderateDomainJob, refreshRemoteJob, verifyLinksJob],
      scales: 'follow events',
      needs: ['postgres', 'nats'],
      replicas: { min: 2, max: 10 },
    },
  },
})
