/** Every reaction of statuses. */
import type { ReactionDoor } from '@murmuration/kernel'

export const reactions: readonly ReactionDoor[] = []
