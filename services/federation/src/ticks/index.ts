/** Every tick of federation. */
import type { TickDoor } from '@murmuration/kernel'

export const ticks: readonly TickDoor[] = []
