/** Every job of accounts. */
import type { JobDoor } from '@murmuration/kernel'
import { acceptRequestsWork } from './accept-requests.js'
import { carryOverWork } from './carry-over.js'
import { checkCollection } from './check-collection.js'
import { handOverWork } from './hand-over.js'
import { importWork } from './import.js'
import { keepDigestsWork } from './keep-digests.js'
import { moderateDomain } from './moderate-domain.js'
import { refreshRemote } from './refresh-remote.js'
import { renewFollowsWork } from './renew-follows.js'
import { syncCollections } from './sync-collections.js'
import { verifyLinks } from './verify-links.js'

export const jobs: readonly JobDoor[] = [
  acceptRequestsWork,
  carryOverWork,
  checkCollection,
  handOverWork,
  importWork,
  keepDigestsWork,
  moderateDomain,
  refreshRemote,
  renewFollowsWork,
  syncCollections,
  verifyLinks,
]
