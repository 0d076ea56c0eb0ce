/**
 * The queue in which staff works on reports. The queue is part of the URL, so that a decision redirects to the queue's
 * next report.
 */
import { listReportQueue } from '@murmuration/contracts/admin'
import { isId } from '@murmuration/contracts/kit'
import { type Html, html } from '../core/html.js'
import type { StaffRequest } from './frame.js'
import { filtersIn } from './table.js'

export const REPORTS = '/admin/reports'

export type Queue = Readonly<Record<string, string>>

/** Allowed values of each query parameter of the report list. Other values are ignored. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  queue: ['open', 'mine', 'unassigned', 'others'],
  category: ['spam', 'legal', 'violation', 'other'],
  target_origin: ['local', 'remote'],
  reporter_origin: ['local', 'remote'],
  order: ['oldest'],
}

/** Reads the filters of the report list from a query or form. Unknown names and values are left out. */
export const queueIn = (given: Readonly<Record<string, unknown>>): Queue =>
  Object.fromEntries(
    Object.entries(filtersIn(given, Object.keys(VALUES))).filter(([name, value]) => VALUES[name]?.includes(value)),
  )

export const withQueue = (path: string, queue: Queue): string =>
  Object.keys(queue).length === 0 ? path : `${path}?${new URLSearchParams(queue)}`

/** The queue of reports as hidden form fields. */
export const queueFields = (queue: Queue): Html[] =>
  Object.entries(queue).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

/**
 * Parameters of the operation that lists the reports of a queue. The cursor is `min_id` if the oldest reports come
 * first, else `max_id`.
 */
const paramsOf = ({ queue = 'open', order, ...filters }: Queue, cursor: string | null) => ({
  ...filters,
  ...(queue === 'open' ? {} : { queue }),
  ...(order === 'oldest' ? { min_id: cursor ?? '0' } : cursor === null ? {} : { max_id: cursor }),
})

/** A page of the reports of a queue, in its order, and the cursor of the next page; null at the end. */
export const reportsOf = async (
  { callApi }: Pick<StaffRequest, 'callApi'>,
  queue: Queue,
  given: unknown,
  limit: number,
) => {
  const cursor = typeof given === 'string' && isId(given) ? given : null
  const { items } = await callApi.page(listReportQueue, { ...paramsOf(queue, cursor), limit })
  const ordered = queue.order === 'oldest' ? items.toReversed() : items
  return { items: ordered, next: items.length < limit ? null : (ordered.at(-1)?.id ?? null) }
}

/** Id of the report after `id` in the queue. After the last report, the first report of the queue; null if there is no other report. */
export const nextReport = async (
  request: Pick<StaffRequest, 'callApi'>,
  queue: Queue,
  id: string,
): Promise<string | null> => {
  const [after, first] = await Promise.all([reportsOf(request, queue, id, 1), reportsOf(request, queue, null, 2)])
  return [...after.items, ...first.items].find((one) => one.id !== id)?.id ?? null
}

export const reportPath = (id: string, queue: Queue = {}): string => withQueue(`${REPORTS}/${id}`, queue)

/**
 * Path to which a decision on a report redirects: the next report of the queue, or the list if there is none. Without a
 * queue, the page of the report.
 */
export const pathAfter = async (request: Pick<StaffRequest, 'callApi'>, queue: Queue, id: string): Promise<string> => {
  if (Object.keys(queue).length === 0) return reportPath(id)
  const next = await nextReport(request, queue, id)
  return next === null ? withQueue(REPORTS, queue) : reportPath(next, queue)
}
