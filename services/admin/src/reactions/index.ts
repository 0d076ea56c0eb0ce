/** Every reaction of admin. */
import type { ReactionDoor } from '@murmuration/kernel'
import { onFlagReceived } from './on-flag-received.js'

export const reactions: readonly ReactionDoor[] = [onFlagReceived]
