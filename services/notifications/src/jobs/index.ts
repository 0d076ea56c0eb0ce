/** Every job of notifications. */
import type { JobDoor } from '@murmuration/kernel'
import { mergeRequest } from './merge-request.js'
import { sendMail } from './send-mail.js'
import { sendPush } from './send-push.js'
import { tellBoosters } from './tell-boosters.js'
import { tellFollowers } from './tell-followers.js'
import { tellQuoters } from './tell-quoters.js'
import { tellTerms } from './tell-terms.js'
import { tellVoters } from './tell-voters.js'

export const jobs: readonly JobDoor[] = [
  mergeRequest,
  sendMail,
  sendPush,
  tellBoosters,
  tellFollowers,
  tellQuoters,
  tellTerms,
  tellVoters,
]
