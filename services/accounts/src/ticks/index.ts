/** Every tick of accounts. */
import type { TickDoor } from '@murmuration/kernel'

export const ticks: readonly TickDoor[] = []
