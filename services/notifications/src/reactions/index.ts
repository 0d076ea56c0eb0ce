/** Every reaction of notifications. */
import type { ReactionDoor } from '@murmuration/kernel'

export const reactions: readonly ReactionDoor[] = []
