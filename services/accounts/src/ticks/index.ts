/** Every tick of accounts. */
import type { TickDoor } from '@murmuration/kernel'
import { expireMutes } from './expire-mutes.js'
import { purgeCredentials } from './purge-credentials.js'

export const ticks: readonly TickDoor[] = [expireMutes, purgeCredentials]
