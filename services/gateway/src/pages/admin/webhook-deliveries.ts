/** Deliveries of one webhook below `/admin`. */
import { listWebhookDeliveries } from '@murmuration/contracts/admin'
import type { AdminWebhookDelivery } from '@murmuration/contracts/entities'
import { type Message, msg } from '@murmuration/messages'
import { type Html, html } from '../core/html.js'
import { idOrNull } from '../core/id.js'
import { t } from '../core/language.js'
import { numberOf, timeOf } from '../core/parts/time.js'
import type { StaffRequest } from './frame.js'
import { badgeOf, filtersIn, nextPage, type Tone, table } from './table.js'

const ROWS = 25

const STATE: Readonly<Record<AdminWebhookDelivery['state'], readonly [Message, Tone]>> = {
  waiting: [msg('Waiting'), 'warn'],
  delivered: [msg('Delivered'), 'ok'],
  refused: [msg('Refused'), 'bad'],
  failed: [msg('Failed'), 'bad'],
  dropped: [msg('Not sent'), 'neutral'],
}

/** Table of one page of deliveries, newest first. */
export const deliveries = async ({ callApi, req }: StaffRequest, id: string, path: string): Promise<Html> => {
  const max_id = idOrNull(filtersIn(req.query, ['max_id']).max_id)
  const { items, older } = await callApi.page(listWebhookDeliveries, {
    id,
    limit: ROWS,
    ...(max_id === null ? {} : { max_id }),
  })
  return html`${table(
    t('Deliveries of the last week'),
    [t('Time'), t('Event'), t('State'), t('Tries'), t('HTTP status'), t('Error')],
    items.map((one) => [
      timeOf(one.created_at),
      html`<code>${one.event}</code>`,
      badgeOf(STATE, one.state),
      numberOf(one.tries),
      one.status ?? html`<span class="muted">–</span>`,
      one.error ?? html`<span class="muted">–</span>`,
    ]),
    t('Nothing was sent in the last week.'),
  )}${items.length >= ROWS ? nextPage(path, {}, { max_id: older }) : ''}`
}
