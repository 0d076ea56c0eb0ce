/** Every tick of federation. */
import type { TickDoor } from '@murmuration/kernel'
import { forget } from './forget-activities.js'

export const ticks: readonly TickDoor[] = [forget]
