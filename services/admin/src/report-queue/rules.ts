/** Filters of report queues as clients send them. */
import { REPORT_QUEUES, type ReportQueue } from '@murmuration/contracts/admin'
import { errorText, fieldText, invalidField } from '@murmuration/contracts/kit'
import { type Category, categoryOf } from '../core/report.rules.js'

const ORIGINS = ['local', 'remote'] as const
export type Origin = (typeof ORIGINS)[number]

/** Conditions combined with AND. A condition that is absent matches everything. */
export interface QueueFilter {
  queue?: ReportQueue | undefined
  category?: Category | undefined
  target?: Origin | undefined
  reporter?: Origin | undefined
}

type Given = string | null | undefined

const oneOf = <T extends string>(label: string, options: readonly T[], given: Given): T | undefined => {
  if (!given) return undefined
  const found = options.find((one) => one === given)
  if (found === undefined)
    throw invalidField(errorText('{field} is not included in the list', { field: fieldText(label) }))
  return found
}

/** Parses the filters of a report queue. Throws 422 with the name of an invalid field. */
export const queueFilterOf = (given: {
  queue?: Given
  category?: Given
  target_origin?: Given
  reporter_origin?: Given
}): QueueFilter => ({
  queue: oneOf('Queue', REPORT_QUEUES, given.queue),
  category: given.category ? categoryOf(given.category, 'other') : undefined,
  target: oneOf('Target origin', ORIGINS, given.target_origin),
  reporter: oneOf('Reporter origin', ORIGINS, given.reporter_origin),
})
