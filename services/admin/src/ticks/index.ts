/** Every tick of admin. */
import type { TickDoor } from '@murmuration/kernel'

export const ticks: readonly TickDoor[] = []
