/** Every tick of federation. */
import type { TickDoor } from '@murmuration/kernel'
import { forget } from './forget-activities.js'
import { forgetArchives } from './forget-archives.js'
import { forgetDeliveries } from './forget-deliveries.js'
import { giveUpDeliveries } from './give-up-deliveries.js'
import { measureDeliveries } from './measure-deliveries.js'
import { releaseActivities } from './release-activities.js'
import { tellPolls } from './tell-polls.js'
import { tellProfiles } from './tell-profiles.js'
import { wakeLanes } from './wake-lanes.js'

export const ticks: readonly TickDoor[] = [
  forget,
  forgetArchives,
  forgetDeliveries,
  giveUpDeliveries,
  measureDeliveries,
  releaseActivities,
  tellPolls,
  tellProfiles,
  wakeLanes,
]
