/** Every tick of statuses. */
import type { TickDoor } from '@murmuration/kernel'
import { eraseDeleted } from './erase-deleted.js'
import { forgetOld } from './forget-old.js'
import { keepMonths } from './keep-months.js'

export const ticks: readonly TickDoor[] = [eraseDeleted, forgetOld, keepMonths]
