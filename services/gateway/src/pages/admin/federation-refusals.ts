/** Statistics of activities that the inboxes refused, below `/admin`: by day, reason and server. */
import { inboxRefusals } from '@murmuration/contracts/federation'
import { msg } from '@murmuration/messages'
import { html } from '../core/html.js'
import { labels, t } from '../core/language.js'
import { agoOf, numberOf } from '../core/parts/time.js'
import { lineChart } from './chart.js'
import { healthTabs, hostPath, REFUSALS, stageLabel } from './federation-tabs.js'
import type { Admin, StaffRequest } from './frame.js'
import { field, filtersIn, select, table } from './table.js'

const DAYS = [
  ['1', msg('Today')],
  ['7', msg('Last seven days')],
  ['31', msg('Last 31 days')],
] as const

const show = async (request: StaffRequest): Promise<void> => {
  const { days = '7', host = '' } = filtersIn(request.req.query, ['days', 'host'])
  const period = DAYS.find(([value]) => value === days)?.[0] ?? '7'
  const found = await request.callApi(inboxRefusals, { days: period, ...(host ? { host } : {}) })
  const sum = found.days.reduce((all, { count }) => all + count, 0)
  request.show({
    title: t('Refused activities'),
    current: 'hosts',
    body: html`${healthTabs(REFUSALS)}<form class="card filters" method="get" action="${REFUSALS}" role="search">${select(
      { name: 'days', label: t('Period'), value: period },
      labels(DAYS),
    )}${field({ name: 'host', label: t('Server'), value: host })}<div class="acts"><button type="submit">${t('Filter')}</button><a class="button quiet" href="${REFUSALS}">${t('Reset')}</a></div></form><div class="tiles"><section class="card tile"><h2 class="label">${t('Refused activities')}</h2><p class="value">${numberOf(sum)}</p>${lineChart(
      'chart-refusals',
      t('Refused activities by day'),
      found.days.map(({ day, count }) => ({ date: `${day}T00:00:00.000Z`, value: count })),
    )}</section></div><h2>${t('By reason')}</h2>${table(
      t('By reason'),
      [t('Reason'), t('Where'), t('Count'), t('Last'), t('Last server')],
      found.refusals.map((one) => [
        html`<code>${one.reason}</code>`,
        stageLabel(one.stage),
        numberOf(one.count),
        agoOf(one.last_at, request.now),
        one.last_host === null ? html`<span class="muted">–</span>` : one.last_host,
      ]),
      t('Nothing was refused.'),
    )}<h2>${t('By server')}</h2><p class="muted">${t('A server is named as it claims to be. Before a signature is verified, anyone can claim any name.')}</p>${table(
      t('By server'),
      [t('Server'), t('Reason'), t('Where'), t('Count'), t('Last'), ''],
      found.hosts.map((one) => [
        html`<a href="${REFUSALS}?days=${period}&amp;host=${encodeURIComponent(one.host)}"><b>${one.host}</b></a>`,
        html`<code>${one.reason}</code>`,
        stageLabel(one.stage),
        numberOf(one.count),
        agoOf(one.last_at, request.now),
        html`<a class="button quiet" href="${hostPath(one.host)}" aria-label="${t('Health of {host}', { host: one.host })}">${t('Health')}</a>`,
      ]),
      t('No server is named.'),
    )}`,
  })
}

export const addFederationRefusals = (admin: Admin): void => admin.add('get', REFUSALS, 'manage_federation', show)
