/** Every reaction of accounts. */
import type { ReactionDoor } from '@murmuration/kernel'
import { onStatusCreated } from './on-status-created.js'
import { onStatusDeleted } from './on-status-deleted.js'

export const reactions: readonly ReactionDoor[] = [onStatusCreated, onStatusDeleted]
