/** Every tick of notifications. */
import type { TickDoor } from '@murmuration/kernel'
import { forgetOld } from './forget-old.js'
import { writeNews } from './write-news.js'

export const ticks: readonly TickDoor[] = [forgetOld, writeNews]
