/** Filters for people to keep: a JSON file that is written while it is read, page by page, as other servers read it. */
import type { Desk } from '../core/settings-frame.js'
import { describeDownload } from '../core/table.js'

/** More pages than anybody has filters for. */
const MOST_PAGES = 100

/** A page of filters, each as JSON text. */
export interface FilterPage {
  readonly documents: readonly string[]
  readonly next: string | null
}

/** Sends all pages as one file; the first is read before anything is said, so that a refusal is still a page. */
export const sendFilters = async (
  { ctx, req, res }: Desk,
  name: string,
  read: (after: string | undefined) => Promise<FilterPage>,
): Promise<void> => {
  let page = await read(undefined)
  describeDownload(ctx.site.https, res, name, 'application/json; charset=utf-8')
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  res.write('{"custom_filters":[')
  let written = 0
  for (let n = 1; n < MOST_PAGES; n++) {
    const text = page.documents.map((document) => `${written++ === 0 ? '' : ','}\n${document}`).join('')
    // Slow readers are waited for, and those that went away are not read for.
    if (!res.write(text)) await new Promise((resolve) => res.once('drain', resolve).once('close', resolve))
    if (page.next === null || res.destroyed) break
    page = await read(page.next)
  }
  res.end(']}\n')
}
