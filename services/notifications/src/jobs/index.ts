/** Every job of notifications. */
import type { JobDoor } from '@murmuration/kernel'
import { sendPush } from './send-push.js'
import { tellBoosters } from './tell-boosters.js'
import { tellFollowers } from './tell-followers.js'

export const jobs: readonly JobDoor[] = [sendPush, tellBoosters, tellFollowers]
