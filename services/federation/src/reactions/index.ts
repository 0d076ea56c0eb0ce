/** Every reaction of federation. */
import type { ReactionDoor } from '@murmuration/kernel'

export const reactions: readonly ReactionDoor[] = []
