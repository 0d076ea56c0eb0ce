/** Every tick of media. */
import type { TickDoor } from '@murmuration/kernel'

export const ticks: readonly TickDoor[] = []
