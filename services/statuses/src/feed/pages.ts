/** Handles several pages of followers in one job. */

/** Maximum number of pages of one job. The next job is one transaction and one message, so it costs little for each page. */
export const MAX_PAGES = 5

/**
 * Loads pages one after the other, and handles each while the next one loads. Returns the cursor of the page that the
 * next job begins with; null after the last page.
 *
 * The caller queues the next job through the outbox after this function has succeeded. A job that is repeated because a
 * page failed therefore does not queue the next job twice.
 */
export const forPages = async <P extends { readonly next: string | null }>(
  after: string | undefined,
  load: (after: string | undefined) => Promise<P>,
  handle: (page: P, after: string | undefined) => Promise<void>,
  left = MAX_PAGES,
): Promise<string | null> => {
  const page = await load(after)
  const goesOn = page.next !== null && left > 1
  const [next] = await Promise.all([
    goesOn ? forPages(page.next, load, handle, left - 1) : page.next,
    handle(page, after),
  ])
  return next
}
