/** What admin asks of services on lower floors; anything else is a type error. */
import {
  accountAdminRecords,
  accountCards,
  accountDomains,
  accountFigures,
  accountModerate,
  accountRecords,
  accountsPrunable,
  accountsPrune,
  collectionCards,
  domainTies,
  moderatedAccountDelete,
  moderatedAccountList,
  peopleByWeek,
  readAccountDayCounts,
  refusedSignUpHistory,
  registrationApprove,
  registrationReject,
} from '@murmuration/contracts/accounts'
import { KERNEL, OWNERS } from '@murmuration/contracts/kernel'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { attachmentFormats, emojiFind, readMediaDayCounts } from '@murmuration/contracts/media'
import {
  deleteModeratedStatuses,
  findModeratedStatuses,
  involvedAccounts,
  markStatusesSensitive,
  measureTag,
  readStatusDayCounts,
  renderByIds,
  statusesByWeek,
  statusesForReport,
  statusFigures,
  statusRecords,
} from '@murmuration/contracts/statuses'

/** Operations of the kernel of each service. Admin asks its own kernel over the bus too. */
const kernels = OWNERS.flatMap((owner) => Object.values(KERNEL[owner]))

export const calls = [
  accountAdminRecords,
  accountCards,
  accountDomains,
  accountFigures,
  accountModerate,
  accountRecords,
  accountsPrunable,
  accountsPrune,
  collectionCards,
  attachmentFormats,
  domainTies,
  emojiFind,
  moderatedAccountDelete,
  moderatedAccountList,
  peopleByWeek,
  refusedSignUpHistory,
  registrationApprove,
  registrationReject,
  involvedAccounts,
  deleteModeratedStatuses,
  findModeratedStatuses,
  markStatusesSensitive,
  measureTag,
  readAccountDayCounts,
  readMediaDayCounts,
  readStatusDayCounts,
  renderByIds,
  statusesByWeek,
  statusFigures,
  statusRecords,
  statusesForReport,
  ...kernels,
] as const satisfies readonly AnyOperation[]
