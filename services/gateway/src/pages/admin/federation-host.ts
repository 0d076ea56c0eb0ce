/** Page of one remote server below `/admin`: why deliveries wait, refused activities, retry, and giving up waiting deliveries. */

import {
  dropDeliveriesOfHost,
  type HostDetail,
  inboxRefusals,
  retryHost,
  showHost,
} from '@murmuration/contracts/federation'
import type { ResultOf } from '@murmuration/contracts/kit'
import { msg } from '@murmuration/messages'
import { readTime } from '@murmuration/text'
import { type Html, html } from '../core/html.js'
import { labelOf, t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { agoOf, numberOf, timeOf } from '../core/parts/time.js'
import { circuitBadge, countedTo } from './federation-hosts.js'
import { HOSTS, hostPath, stageLabel } from './federation-tabs.js'
import { type Admin, attempt, orNotFound, type StaffRequest } from './frame.js'
import { badge, definitionList, table } from './table.js'

const HELD = {
  blocked: msg('The server is blocked.'),
  unavailable: msg('The server failed on seven days. It gets one delivery a day.'),
  paused: msg('The last deliveries failed. The next one is sent when the pause is over.'),
} as const
const SEVERITY = {
  silence: msg('Limited'),
  suspend: msg('Suspended'),
  noop: msg('No restriction of accounts'),
} as const
/** Maximum count of accounts or follows of one server. A count that reaches it is shown as `10,000+`. */
const MAX_COUNT = 10_000

const hostIn = ({ req }: StaffRequest): string => String(req.params.host ?? '').slice(0, 255)

const ruleOf = ({ rule, blocked }: HostDetail): Html | null =>
  rule === null
    ? blocked
      ? badge(t('Not allowed'), 'bad')
      : null
    : html`<span class="states">${badge(labelOf(SEVERITY, rule.severity), rule.severity === 'suspend' ? 'bad' : 'warn')}${rule.reject_media ? badge(t('No media')) : ''}${rule.reject_reports ? badge(t('No reports')) : ''}</span> <span class="muted">${rule.domain}</span>`

const sending = (one: HostDetail, now: number): Html =>
  html`<section class="card"><h2>${t('Deliveries')}</h2>${definitionList([
    [t('State'), circuitBadge(one)],
    [t('Why they wait'), one.held === null || one.waiting === 0 ? null : labelOf(HELD, one.held)],
    [t('Deliveries that wait'), numberOf(one.waiting)],
    [t('Oldest'), one.oldest ? agoOf(one.oldest, now) : null],
    [t('Failures in a row'), one.failures > 0 ? numberOf(one.failures) : null],
    [t('Last success'), one.delivered_at ? agoOf(one.delivered_at, now) : t('Never')],
    [t('Last failure'), one.failed_at ? agoOf(one.failed_at, now) : null],
    [t('Reason'), one.trouble],
    [t('Paused until'), one.paused_until && readTime(one.paused_until) > now ? timeOf(one.paused_until) : null],
    [t('Unavailable since'), one.unavailable_since ? timeOf(one.unavailable_since) : null],
    [t('Inboxes that no longer exist'), one.gone_inboxes > 0 ? numberOf(one.gone_inboxes) : null],
  ])}</section>`

const receiving = (request: StaffRequest, one: HostDetail): Html => {
  const { ties } = one
  const domain = one.host.replace(/:\d+$/, '')
  const accounts = ties && countedTo(ties.accounts, MAX_COUNT)
  return html`<section class="card"><h2>${t('Server')}</h2>${definitionList([
    [t('Block'), ruleOf(one)],
    [t('Last signed request'), one.received_at ? agoOf(one.received_at, request.now) : t('Never')],
    [t('Received activities that wait'), one.held_activities > 0 ? countedTo(one.held_activities, 1_000) : null],
    [
      t('Known accounts'),
      ties === null
        ? t('cannot be counted now')
        : request.may('manage_users')
          ? html`<a href="/admin/accounts?origin=remote&amp;by_domain=${encodeURIComponent(domain)}">${accounts}</a>`
          : accounts,
    ],
    [t('Followed from here'), ties && countedTo(ties.following, MAX_COUNT)],
    [t('Followers of accounts here'), ties && countedTo(ties.followers, MAX_COUNT)],
  ])}<p class="acts">${one.rule === null ? html`<a class="button quiet" href="/admin/domains?domain=${encodeURIComponent(domain)}">${t('Block this server…')}</a>` : ''}</p></section>`
}

type Refusals = ResultOf<(typeof inboxRefusals)['output']>['refusals']

const refused = (request: StaffRequest, refusals: Refusals): Html =>
  html`<h2>${t('Refused activities of the last seven days')}</h2>${table(
    t('Refused activities of the last seven days'),
    [t('Reason'), t('Where'), t('Count'), t('Last')],
    refusals.map((it) => [
      html`<code>${it.reason}</code>`,
      stageLabel(it.stage),
      numberOf(it.count),
      agoOf(it.last_at, request.now),
    ]),
    t('Nothing of this server was refused.'),
  )}`

/** Page of a remote server that never received a delivery, but whose activities were refused. */
const showUnknownHost = (request: StaffRequest, host: string, refusals: Refusals): void =>
  request.show({
    title: host,
    above: html`<a href="${HOSTS}">${t('Servers')}</a>`,
    current: 'hosts',
    body: html`<p class="card">${t('Nothing was sent to this server yet.')}</p>${refused(request, refusals)}`,
  })

const show = async (request: StaffRequest, problem: string | null = null): Promise<void> => {
  const host = hostIn(request)
  const [one, { refusals }] = await Promise.all([
    orNotFound(request.callApi(showHost, { host })),
    request.callApi(inboxRefusals, { days: 7, host }),
  ])
  if (one === null && refusals.length > 0) return showUnknownHost(request, host, refusals)
  if (one === null) throw pageNotFound()
  const path = hostPath(one.host)
  request.show({
    title: one.host,
    above: html`<a href="${HOSTS}">${t('Servers')}</a>`,
    current: 'hosts',
    problem,
    body: html`<form class="acts" method="post" action="${path}/retry">${request.csrfField}${
      one.blocked ? '' : html`<button type="submit">${t('Try now')}</button>`
    }${one.waiting > 0 ? html`<a class="button danger" href="${path}/drop">${t('Give up what waits…')}</a>` : ''}</form><div class="columns">${sending(one, request.now)}${receiving(request, one)}</div>${refused(request, refusals)}`,
  })
}

/** Confirmation page with the number of deliveries that would be given up. */
const confirmDrop = async (request: StaffRequest): Promise<void> => {
  const { host, given_up } = await request.callApi(dropDeliveriesOfHost, { host: hostIn(request), dry_run: true })
  const path = hostPath(host)
  request.show({
    title: t('Give up what waits…'),
    heading: html`${t('Give up what waits for {host}', { host })}`,
    above: html`<a href="${path}">${t('Back without a change')}</a>`,
    current: 'hosts',
    body: html`<section class="card"><div class="preview" role="note"><p>${t('{givenUp} would be given up. This cannot be undone. Later activities are sent again.', { givenUp: html`<b>${t('{count, plural, one {# delivery} other {# deliveries}}', { count: given_up })}</b>` })}</p></div><form method="post" action="${path}/drop">${request.csrfField}<p class="acts"><button class="danger" type="submit">${t('Give up')}</button><a class="button quiet" href="${path}">${t('Cancel')}</a></p></form></section>`,
  })
}

export const addFederationHost = (admin: Admin): void => {
  admin.add('get', `${HOSTS}/:host`, 'manage_federation', (request) => show(request))
  admin.add('post', `${HOSTS}/:host/retry`, 'manage_federation', async (request) => {
    const host = hostIn(request)
    const problem = await attempt(() => request.callApi(retryHost, { host }))
    return problem ? show(request, problem) : request.done(hostPath(host), t('The server is tried now.'))
  })
  admin.add('get', `${HOSTS}/:host/drop`, 'manage_federation', confirmDrop)
  admin.add('post', `${HOSTS}/:host/drop`, 'manage_federation', async (request) => {
    const host = hostIn(request)
    const { more } = await request.callApi(dropDeliveriesOfHost, { host })
    request.done(
      hostPath(host),
      more ? t('A part of the deliveries was given up. Repeat it for the rest.') : t('The deliveries were given up.'),
    )
  })
}
