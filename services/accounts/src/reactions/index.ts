/** Every reaction of accounts. */
import type { ReactionDoor } from '@murmuration/kernel'

export const reactions: readonly ReactionDoor[] = []
