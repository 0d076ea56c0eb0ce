/** Handles several pages of followers in one job. */
import type { BaseContext } from '@murmuration/kernel'

/** Maximum number of pages of one job. The next job is one transaction and one message, so it costs little for each page. */
export const MAX_PAGES = 5

/** Followers that a job handles. Absent `after`: from the first follower. Absent `until`: to the last one. */
export interface PageRange {
  after?: string | undefined
  until?: string | undefined
}

export interface Outcome {
  /** Pages that failed. Each needs a job of its own. */
  failed: readonly PageRange[]
  /** Followers that the next job handles; null after the last page. */
  next: PageRange | null
  /** Whether the first page was handled. */
  isFirstDone: boolean
}

interface Handlers<P> {
  load(after: string | undefined): Promise<P>
  handle(page: P, after: string | undefined): Promise<void>
}

interface Handled extends Omit<Outcome, 'isFirstDone'> {
  /** One entry per page. */
  results: readonly PromiseSettledResult<void>[]
}

const handlePages = async <P extends { readonly next: string | null }>(
  { after, until }: PageRange,
  { load, handle }: Handlers<P>,
  left: number,
): Promise<Handled> => {
  const page = await load(after)
  const isLast = page.next === null || (until !== undefined && BigInt(page.next) >= BigInt(until))
  const rest = isLast ? null : { after: page.next ?? undefined, until }
  const later: Handled = { failed: [], next: rest, results: [] }
  const [[result], others] = await Promise.all([
    Promise.allSettled([handle(page, after)]),
    // If a later page cannot be loaded, the next job begins with it.
    rest === null || left === 1
      ? later
      : handlePages(rest, { load, handle }, left - 1).catch((reason: unknown) => ({
          ...later,
          results: [{ status: 'rejected' as const, reason }],
        })),
  ])
  const failed = result.status === 'rejected' ? [{ after, until: rest?.after ?? until }] : []
  return { failed: [...failed, ...others.failed], next: others.next, results: [result, ...others.results] }
}

/**
 * Loads pages one after the other, and handles each while the next one loads. If some pages fail, they are returned, so
 * that later followers do not wait for them and other pages are not handled twice. Rejects if all pages fail.
 *
 * The caller queues the failed pages and the next job in one transaction.
 */
export const forPages = async <P extends { readonly next: string | null }>(
  { log }: Pick<BaseContext, 'log'>,
  range: PageRange,
  handlers: Handlers<P>,
): Promise<Outcome> => {
  const { failed, next, results } = await handlePages(range, handlers, MAX_PAGES)
  const [error] = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  if (results.every((one) => one.status === 'rejected')) throw error
  if (error !== undefined)
    log.info({ error, pages: failed.length }, 'some pages of followers failed and are queued as separate jobs')
  return { failed, next, isFirstDone: results[0]?.status === 'fulfilled' }
}
