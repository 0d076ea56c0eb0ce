/** Every reaction of media. */
import type { ReactionDoor } from '@murmuration/kernel'
import { onAccountRemoved } from './on-account-removed.js'

export const reactions: readonly ReactionDoor[] = [onAccountRemoved]
