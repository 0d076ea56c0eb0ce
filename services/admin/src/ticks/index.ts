/** Every tick of admin. */
import type { TickDoor } from '@murmuration/kernel'
import { closeDomains } from './close-domains.js'
import { forgetKeys } from './forget-keys.js'
import { publishAnnouncements } from './publish-announcements.js'
import { publishPolicy } from './publish-policy.js'

export const ticks: readonly TickDoor[] = [closeDomains, forgetKeys, publishAnnouncements, publishPolicy]
