/** Every tick of accounts. */
import type { TickDoor } from '@murmuration/kernel'
import { eraseRemovedAccounts } from './erase-removed.js'
import { expireMutes } from './expire-mutes.js'
import { forgetImports } from './forget-imports.js'
import { forgetWeeks } from './forget-weeks.js'
import { indexNames } from './index-names.js'
import { purgeCredentials } from './purge-credentials.js'
import { purgeJoining } from './purge-joining.js'
import { purgeKeys } from './purge-keys.js'
import { recommendAccounts } from './recommend-accounts.js'
import { removeSuspended } from './remove-suspended.js'

export const ticks: readonly TickDoor[] = [
  eraseRemovedAccounts,
  expireMutes,
  forgetImports,
  forgetWeeks,
  indexNames,
  purgeCredentials,
  purgeJoining,
  purgeKeys,
  recommendAccounts,
  removeSuspended,
]
