/** CSV exports, streamed page by page. */
import type { TablePage } from '@murmuration/contracts/accounts'
import { remainingMs } from '@murmuration/kernel'
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

/** The part of a page request that a download needs. */
export type Download = Pick<PageRequest, 'ctx' | 'req' | 'res' | 'releaseSlot'>

/**
 * Writes a part of a download, and waits until the client has read most of it. A client that reads slowly occupies no
 * concurrency slot (F072). Returns false if the client disconnected, or did not read before the deadline of the request.
 */
export const writePart = async ({ res, releaseSlot }: Pick<Download, 'res' | 'releaseSlot'>, text: string) => {
  // After a disconnect, neither `drain` nor `close` would be emitted.
  if (res.destroyed) return false
  if (res.write(text)) return true
  releaseSlot()
  const timer = setTimeout(() => res.destroy(), remainingMs())
  await new Promise<void>((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done)
      resolve()
    }
    res.once('drain', done).once('close', done)
  })
  clearTimeout(timer)
  return !res.destroyed
}

/**
 * Sends all pages of a table as a CSV file. The first page is read before the headers are sent, so that an error is
 * still shown as an error page.
 */
export const sendTable = async (
  download: Download,
  name: string,
  read: (after: string | undefined) => Promise<TablePage>,
): Promise<void> => {
  const { ctx, req, res } = download
  let page = await read(undefined)
  describeDownload(ctx.site.https, res, name, 'text/csv; charset=utf-8')
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  for (let n = 1; n < MAX_PAGES; n++) {
    if (!(await writePart(download, stringify(page.rows)))) return
    if (page.next === null) break
    page = await read(page.next)
  }
  res.end()
}

/** Download link of a CSV export. */
export const tableLink = (address: string, label = 'CSV') =>
  html`<a class="button quiet small" href="${address}" download>${label}</a>`
