/** The deliveries of one webhook below `/admin`. */
import { listWebhookDeliveries } from '@murmuration/contracts/admin'
import type { AdminWebhookDelivery } from '@murmuration/contracts/entities'
import { type Html, html } from '../core/html.js'
import { idOrNull } from '../core/id.js'
import { numberOf, timeOf } from '../core/parts/time.js'
import type { StaffVisit } from './frame.js'
import { badge, filtersIn, nextPage, type Tone, table } from './table.js'

const ROWS = 25

const STATE: Readonly<Record<AdminWebhookDelivery['state'], readonly [string, Tone]>> = {
  waiting: ['Waiting', 'warn'],
  delivered: ['Delivered', 'ok'],
  refused: ['Refused', 'bad'],
  failed: ['Failed', 'bad'],
  dropped: ['Not sent', 'calm'],
}

/** One page of deliveries as a table, the newest first. */
export const deliveries = async ({ ask, req }: StaffVisit, id: string, path: string): Promise<Html> => {
  const max_id = idOrNull(filtersIn(req.query, ['max_id']).max_id)
  const { items, older } = await ask.page(listWebhookDeliveries, {
    id,
    limit: ROWS,
    ...(max_id === null ? {} : { max_id }),
  })
  return html`${table(
    'Deliveries of the last week',
    ['Time', 'Event', 'State', 'Tries', 'HTTP status', 'Error'],
    items.map((one) => [
      timeOf(one.created_at),
      html`<code>${one.event}</code>`,
      badge(...STATE[one.state]),
      numberOf(one.tries),
      one.status ?? html`<span class="soft">–</span>`,
      one.error ?? html`<span class="soft">–</span>`,
    ]),
    'Nothing was sent in the last week.',
  )}${items.length >= ROWS ? nextPage(path, {}, { max_id: older }) : ''}`
}
