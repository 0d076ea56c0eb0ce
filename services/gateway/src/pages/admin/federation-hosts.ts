/** List of remote servers below `/admin`, with the health and waiting deliveries of each. */

import { deliveryState, federationHealth, type HostState, listHosts } from '@murmuration/contracts/federation'
import { isId } from '@murmuration/contracts/kit'
import { msg } from '@murmuration/messages'
import { type Html, type HtmlValue, html } from '../core/html.js'
import { labels, t } from '../core/language.js'
import { agoOf, numberOf } from '../core/parts/time.js'
import { HOSTS, healthTabs, hostPath } from './federation-tabs.js'
import type { Admin, StaffRequest } from './frame.js'
import { badge, field, filtersIn, nextPage, select, table } from './table.js'

const ROWS = 50
/** Maximum counts of waiting deliveries: of one host (`MAX_PER_HOST`) and of all hosts (`MAX_IN_ALL`). A count at its maximum is shown with `+`. */
const MAX_PER_HOST = 1_000
const MAX_IN_ALL = 100_000

/** State filters of the list of servers. The empty value selects servers in all states, and sorts them by their waiting deliveries. */
const STATES = [
  ['', msg('Longest queues')],
  ['failing', msg('Failing')],
  ['held', msg('Paused or unavailable')],
  ['unavailable', msg('Unavailable')],
  ['ok', msg('Reachable')],
  ['all', msg('All servers')],
] as const

export const circuitBadge = ({ circuit }: Pick<HostState, 'circuit'>): Html =>
  circuit === 'closed'
    ? badge(t('Reachable'), 'ok')
    : circuit === 'unavailable'
      ? badge(t('Unavailable'), 'bad')
      : badge(circuit === 'open' ? t('Paused') : t('Probed'), 'warn')

/** The number as text, such as `1,000+` if counting ended at `max`. */
export const countedTo = (n: number, max: number): string => `${numberOf(n)}${n >= max ? '+' : ''}`

const none = html`<span class="muted">–</span>`

export const waitingCell = ({ waiting, oldest }: HostState, now: number): Html =>
  waiting === 0
    ? none
    : html`<b>${countedTo(waiting, MAX_PER_HOST)}</b>${oldest ? html` <span class="muted">${t('since {time}', { time: agoOf(oldest, now) })}</span>` : ''}`

const failureCell = (one: HostState, now: number): Html =>
  one.failed_at === null
    ? none
    : html`${agoOf(one.failed_at, now)}${one.trouble ? html` <span class="muted">${one.trouble}</span>` : ''}`

const numbersOf = async ({ callApi, now }: StaffRequest): Promise<Html> => {
  const found = await callApi(federationHealth, {})
  const tile = (label: string, value: string, note: HtmlValue, path: string, isTodo = false): Html =>
    html`<a class="card tile${isTodo ? ' todo' : ''}" href="${path}"><p class="label">${label}</p><p class="value">${value}</p><p class="muted">${note}</p></a>`
  return html`<div class="tiles">${tile(t('Servers'), numberOf(found.hosts), t('that something was sent to'), `${HOSTS}?state=all`)}${tile(
    t('Failing'),
    numberOf(found.failing),
    html`${t('{count, plural, one {# is unavailable} other {# are unavailable}}', { count: found.unavailable })}`,
    `${HOSTS}?state=failing`,
    found.unavailable > 0,
  )}${tile(
    t('Deliveries that wait'),
    countedTo(found.waiting, MAX_IN_ALL),
    found.oldest
      ? html`${t('Oldest: {age}', { age: agoOf(found.oldest, now) })}`
      : found.waiting === 0
        ? t('Nothing waits.')
        : '',
    HOSTS,
  )}${tile(t('Refused activities today'), numberOf(found.refused_today), t('by the inboxes of this server'), '/admin/federation/refusals?days=1')}</div>`
}

const load = async (
  { callApi }: StaffRequest,
  { state = '', domain = '', max_id }: Record<string, string>,
): Promise<{ items: readonly HostState[]; older: string | null }> => {
  if (state === '' && domain === '') return { items: (await callApi(deliveryState, { limit: 100 })).hosts, older: null }
  const { items, older } = await callApi.page(listHosts, {
    ...(state && state !== 'all' ? { state } : {}),
    ...(domain ? { domain } : {}),
    ...(max_id ? { max_id } : {}),
    limit: ROWS,
  })
  return { items, older: items.length >= ROWS ? older : null }
}

const show = async (request: StaffRequest): Promise<void> => {
  const query = filtersIn(request.req.query, ['state', 'domain', 'max_id'])
  if (!STATES.some(([state]) => state === query.state)) delete query.state
  if (!isId(query.max_id ?? '')) delete query.max_id
  const { max_id: _, ...filters } = query
  const [numbers, { items, older }] = await Promise.all([numbersOf(request), load(request, query)])
  request.show({
    title: t('Federation health'),
    current: 'hosts',
    body: html`${healthTabs(HOSTS)}${numbers}<form class="card filters" method="get" action="${HOSTS}" role="search">${select(
      { name: 'state', label: t('Show'), value: query.state ?? '' },
      labels(STATES),
    )}${field({ name: 'domain', label: t('Domain'), value: query.domain ?? '' })}<div class="acts"><button type="submit">${t('Filter')}</button><a class="button quiet" href="${HOSTS}">${t('Reset')}</a></div></form>${table(
      t('Servers'),
      [t('Server'), t('State'), t('Deliveries that wait'), t('Last success'), t('Last failure')],
      items.map((one) => [
        html`<a href="${hostPath(one.host)}" aria-label="${t('Health of {host}', { host: one.host })}"><b>${one.host}</b></a>`,
        circuitBadge(one),
        waitingCell(one, request.now),
        one.delivered_at ? agoOf(one.delivered_at, request.now) : none,
        failureCell(one, request.now),
      ]),
      query.state || query.domain ? t('No server matches.') : t('Nothing waits for any server.'),
    )}${nextPage(HOSTS, filters, { max_id: older })}`,
  })
}

export const addFederationHosts = (admin: Admin): void => admin.add('get', HOSTS, 'manage_federation', show)
