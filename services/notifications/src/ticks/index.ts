/** Every tick of notifications. */
import type { TickDoor } from '@murmuration/kernel'

export const ticks: readonly TickDoor[] = []
