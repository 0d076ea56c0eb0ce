/** What admin asks of services on lower floors; anything else is a type error. */
import {
  accountAdminRecords,
  accountCards,
  accountDomains,
  accountFigures,
  accountModerate,
  accountRecords,
  collectionCards,
  domainTies,
  moderatedAccountDelete,
  moderatedAccountList,
  peopleByWeek,
  refusedSignUpHistory,
  registrationApprove,
  registrationReject,
} from '@murmuration/contracts/accounts'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { attachmentFormats, emojiFind } from '@murmuration/contracts/media'
import {
  renderByIds,
  statusesByWeek,
  statusesForReport,
  statusFigures,
  statusRecords,
} from '@murmuration/contracts/statuses'

export const calls = [
  accountAdminRecords,
  accountCards,
  accountDomains,
  accountFigures,
  accountModerate,
  accountRecords,
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
  renderByIds,
  statusesByWeek,
  statusFigures,
  statusRecords,
  statusesForReport,
] as const satisfies readonly AnyOperation[]
