/** CSV exports, streamed page by page. */
import type { TablePage } from '@murmuration/contracts/accounts'
import { stringify } from 'csv-stringify/sync'
import type { Response } from 'express'
import { guardHeaders } from '../../edge/response/headers.js'
import { html } from './html.js'
import type { PageRequest } from './page-request.js'

/** Maximum number of pages of a CSV export. It ends the export if the cursors never end. */
const MAX_PAGES = 1_000

/** Sets the headers of a private download: the browser saves it as the file `name` and does not cache it. */
export const describeDownload = (https: boolean, res: Response, name: string, type: string): void => {
  const guard = guardHeaders(https)
  for (let i = 0; i < guard.length; i += 2) res.setHeader(guard[i] as string, guard[i + 1] as string)
  res.setHeader('Content-Security-Policy', "default-src 'none'; form-action 'none'; sandbox")
  res.setHeader('Cache-Control', 'private, no-store')
  res.setHeader('Content-Type', type)
  res.setHeader('Content-Disposition', `attachment; filename="${name}"`)
}

/**
 * Sends all pages of a table as a CSV file. The first page is read before the headers are sent, so that an error is
 * still shown as an error page.
 */
export const sendTable = async (
  { ctx, req, res }: Pick<PageRequest, 'ctx' | 'req' | 'res'>,
  name: string,
  read: (after: string | undefined) => Promise<TablePage>,
): Promise<void> => {
  let page = await read(undefined)
  describeDownload(ctx.site.https, res, name, 'text/csv; charset=utf-8')
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  for (let n = 1; n < MAX_PAGES; n++) {
    const text = stringify(page.rows)
    // Waits until a slow client has read the text, and stops if the client disconnected.
    if (!res.write(text)) await new Promise((resolve) => res.once('drain', resolve).once('close', resolve))
    if (page.next === null || res.destroyed) break
    page = await read(page.next)
  }
  res.end()
}

/** Download link of a CSV export. */
export const tableLink = (address: string, label = 'CSV') =>
  html`<a class="button quiet small" href="${address}" download>${label}</a>`
