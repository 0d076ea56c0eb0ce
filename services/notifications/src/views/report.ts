/** Report JSON inside a notification, from the facts that came with the event. */
import { splice } from '@murmuration/cards'
import type { Account, Report, ReportCategory } from '@murmuration/contracts/entities'
import { type Json, toJson } from '@murmuration/contracts/kit'

/** What is kept of a report: admin stands above this service and cannot be asked. */
export interface ReportFacts {
  id: string
  target: string
  category: ReportCategory
  comment: string
  status_ids: string[]
  forwarded: boolean
  created_at: string
}

/** The report as it was filed; what became of it is for the pages of staff. */
export const reportText = ({ target: _target, ...facts }: ReportFacts, target: Json<Account>): Json<Report> =>
  splice<Report>(
    toJson({ ...facts, action_taken: false, action_taken_at: null, rule_ids: null, collection_ids: null }),
    { target_account: target },
  )
