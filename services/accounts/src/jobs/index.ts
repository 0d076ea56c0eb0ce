/** Every job of accounts. */
import type { JobDoor } from '@murmuration/kernel'
import { acceptRequestsWork } from './accept-requests.js'
import { carryOverWork } from './carry-over.js'
import { checkCollection } from './check-collection.js'
import { endWithDomainWork } from './end-with-domain.js'
import { endWithSuspendedWork } from './end-with-suspended.js'
import { handOverWork } from './hand-over.js'
import { importWork } from './import.js'
import { keepDigestsWork } from './keep-digests.js'
import { moderateDomain } from './moderate-domain.js'
import { refreshCollection } from './refresh-collection.js'
import { refreshRemote } from './refresh-remote.js'
import { renewFollowsWork } from './renew-follows.js'
import { syncCollections } from './sync-collections.js'
import { verifyLinks } from './verify-links.js'

export const jobs: readonly JobDoor[] = [
  acceptRequestsWork,
  carryOverWork,
  checkCollection,
  endWithDomainWork,
  endWithSuspendedWork,
  handOverWork,
  importWork,
  keepDigestsWork,
  moderateDomain,
  refreshCollection,
  refreshRemote,
  renewFollowsWork,
  syncCollections,
  verifyLinks,
]
