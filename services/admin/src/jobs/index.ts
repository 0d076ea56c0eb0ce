/** Every job of admin. */
import type { JobDoor } from '@murmuration/kernel'
import { settleAccount } from './settle-account.js'
import { settleAccounts } from './settle-accounts.js'
import { settleDomain } from './settle-domain.js'

export const jobs: readonly JobDoor[] = [settleAccount, settleAccounts, settleDomain]
