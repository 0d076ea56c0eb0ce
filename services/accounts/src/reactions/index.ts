/** Every reaction of accounts. */
import type { ReactionDoor } from '@murmuration/kernel'
import { onAccountJoined } from './on-account-joined.js'
import { onFollowCreated } from './on-follow-created.js'
import { onStatusCreated } from './on-status-created.js'
import { onStatusDeleted } from './on-status-deleted.js'

export const reactions: readonly ReactionDoor[] = [onAccountJoined, onFollowCreated, onStatusCreated, onStatusDeleted]
