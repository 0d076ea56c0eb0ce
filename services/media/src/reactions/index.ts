/** Every reaction of media. */
import type { ReactionDoor } from '@murmuration/kernel'

export const reactions: readonly ReactionDoor[] = []
