/** Export of filters as JSON in the format that other servers import, streamed page by page. */
import { type Download, describeDownload, writePart } from '../core/table.js'

/** Maximum number of pages of an export of filters. It ends the export if the cursors never end. */
const MAX_PAGES = 100

/** A page of filters, each as JSON text. */
export interface FilterPage {
  readonly documents: readonly string[]
  /** Cursor of the next page; null at the end. */
  readonly next: string | null
}

/**
 * Sends all pages of filters as one file. The first page is read before the headers are sent, so that an error is still
 * shown as an error page.
 */
export const sendFilters = async (
  download: Download,
  name: string,
  read: (after: string | undefined) => Promise<FilterPage>,
): Promise<void> => {
  const { ctx, req, res } = download
  let page = await read(undefined)
  describeDownload(ctx.site.https, res, name, 'application/json; charset=utf-8')
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  let written = 0
  let before = '{"custom_filters":['
  for (let n = 1; n < MAX_PAGES; n++) {
    const text = page.documents.map((document) => `${written++ === 0 ? '' : ','}\n${document}`).join('')
    if (!(await writePart(download, before + text))) return
    if (page.next === null) break
    before = ''
    page = await read(page.next)
  }
  res.end(']}\n')
}
