/** Every job of notifications. */
import type { JobDoor } from '@murmuration/kernel'
import { mergeRequest } from './merge-request.js'
import { sendPush } from './send-push.js'
import { tellBoosters } from './tell-boosters.js'
import { tellFollowers } from './tell-followers.js'
import { tellVoters } from './tell-voters.js'

export const jobs: readonly JobDoor[] = [mergeRequest, sendPush, tellBoosters, tellFollowers, tellVoters]
