/** Every tick of statuses. */
import type { TickDoor } from '@murmuration/kernel'

export const ticks: readonly TickDoor[] = []
