/** Every tick of notifications. */
import type { TickDoor } from '@murmuration/kernel'
import { forgetOld } from './forget-old.js'

export const ticks: readonly TickDoor[] = [forgetOld]
