/** Every reaction of admin. */
import type { ReactionDoor } from '@murmuration/kernel'
import { onAccountRemoved } from './on-account-removed.js'
import { onFlagReceived } from './on-flag-received.js'

export const reactions: readonly ReactionDoor[] = [onAccountRemoved, onFlagReceived]
