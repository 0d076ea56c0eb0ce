/**
 * Lists of reports below `/admin`: queues of open reports, resolved reports, and reports of one account. The filters of
 * the queues are declared in `report-queue.ts`; other filters are ignored.
 */
import { listAdminReports, type ReportSummary, summarizeReports } from '@murmuration/contracts/admin'
import type { AdminReport } from '@murmuration/contracts/entities'
import { isId } from '@murmuration/contracts/kit'
import { type Message, msg } from '@murmuration/messages'
import { excerpt } from '@murmuration/text'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { ageOf, agoOf, durationOf, numberOf } from '../core/parts/time.js'
import type { Admin, StaffRequest } from './frame.js'
import { type Queue, queueFields, queueIn, REPORTS, reportPath, reportsOf } from './report-queue.js'
import { accountCell, badge, filtersIn, handleOf, nextPage, select, table } from './table.js'

const ROWS = 25

export const CATEGORIES: Readonly<Record<string, Message>> = {
  spam: msg('Spam'),
  legal: msg('Illegal content'),
  violation: msg('Breaks a rule'),
  other: msg('Something else'),
}

const excerptOf = ({ comment }: AdminReport): Html | '' =>
  comment === '' ? '' : html`<p class="quote muted">${excerpt(comment, 160)}</p>`

/** Table of reports. The link to each report contains the queue in which staff works. */
export const reportTable = (
  { may, now }: Pick<StaffRequest, 'may' | 'now'>,
  reports: readonly AdminReport[],
  empty: string,
  queue: Queue = {},
): Html =>
  table(
    t('Reports'),
    [t('Report'), t('Reported account'), t('Reported by'), t('Content'), t('Assigned to'), t('Age')],
    reports.map((one) => [
      html`<a href="${reportPath(one.id, queue)}"><b>${t(CATEGORIES[one.category] ?? one.category)}</b></a> ${
        one.action_taken ? badge(t('Resolved'), 'ok') : badge(t('Open'), 'warn')
      }${excerptOf(one)}`,
      accountCell(one.target_account, may('manage_users')),
      html`${handleOf(one.account)}`,
      t('{count, plural, one {# post} other {# posts}}', { count: one.statuses.length }),
      one.assigned_account ? handleOf(one.assigned_account) : html`<span class="muted">${t('Nobody')}</span>`,
      one.action_taken ? agoOf(one.created_at, now) : ageOf(one.created_at, now),
    ]),
    empty,
  )

/** Tabs with the number of reports in each queue. */
const queueTabs = (summary: ReportSummary, current: string): Html => {
  const { queues, open, more } = summary
  const tab = (name: string, label: string, count: number | null): Html => {
    const path = name === 'resolved' ? `${REPORTS}?state=resolved` : `${REPORTS}?queue=${name}`
    return html`<a href="${path}"${name === current ? html` aria-current="page"` : ''}>${label}${
      count === null ? '' : html` <span class="n">${numberOf(count)}${more ? '+' : ''}</span>`
    }</a>`
  }
  return html`<nav class="tabs" aria-label="${t('Reports')}">${[
    tab('open', t('All open'), open),
    tab('mine', t('Assigned to me'), queues.mine),
    tab('unassigned', t('Unassigned'), queues.unassigned),
    tab('others', t('Assigned to others'), queues.others),
    tab('resolved', t('Resolved'), null),
  ]}</nav>`
}

const ages = ({ oldest_open, median_age_seconds }: ReportSummary, queue: Queue): Html | '' =>
  oldest_open === null || median_age_seconds === null
    ? ''
    : html`<p class="muted">${t('Oldest open report: {link} · Median age: {duration}', { link: html`<a href="${reportPath(oldest_open.id, { ...queue, order: 'oldest' })}">${durationOf(oldest_open.age_seconds)}</a>`, duration: durationOf(median_age_seconds) })}</p>`

const filters = (queue: Queue): Html =>
  html`<form class="card filters" method="get" action="${REPORTS}" role="search">${queueFields({ queue: queue.queue ?? 'open' })}${select(
    { name: 'category', label: t('Category'), value: queue.category ?? '' },
    [['', t('All')], ...Object.entries(CATEGORIES).map(([key, label]) => [key, t(label)] as const)],
  )}${select({ name: 'target_origin', label: t('Reported account'), value: queue.target_origin ?? '' }, [
    ['', t('All')],
    ['local', t('On this server')],
    ['remote', t('On other servers')],
  ])}${select({ name: 'reporter_origin', label: t('Reported by'), value: queue.reporter_origin ?? '' }, [
    ['', t('All')],
    ['local', t('Accounts of this server')],
    ['remote', t('Other servers')],
  ])}${select({ name: 'order', label: t('Order'), value: queue.order ?? '' }, [
    ['', t('Newest first')],
    ['oldest', t('Oldest first')],
  ])}<div class="acts"><button type="submit">${t('Filter')}</button><a class="button quiet" href="${REPORTS}">${t('Reset')}</a></div></form>`

/** Page of resolved reports, or of open reports about or by one account. */
const showPast = async (request: StaffRequest, summary: ReportSummary): Promise<void> => {
  const query = filtersIn(request.req.query, ['state', 'target_account_id', 'account_id'])
  const ids = Object.fromEntries(Object.entries(query).filter(([name, value]) => name !== 'state' && isId(value)))
  const isResolved = query.state === 'resolved'
  const { max_id } = filtersIn(request.req.query, ['max_id'])
  const { items, older } = await request.callApi.page(listAdminReports, {
    ...ids,
    ...(isResolved ? { resolved: true } : {}),
    ...(query.state === 'all' ? { resolved: true, unresolved: true } : {}),
    ...(max_id && isId(max_id) ? { max_id } : {}),
    limit: ROWS,
  })
  const about = ids.target_account_id ? items[0]?.target_account : undefined
  request.show({
    title: t('Reports'),
    current: 'reports',
    ...(about ? { above: html`<a href="${REPORTS}">${t('All reports')}</a> · ${handleOf(about)}` } : {}),
    body: html`${queueTabs(summary, isResolved ? 'resolved' : '')}${reportTable(
      request,
      items,
      isResolved ? t('No report was resolved yet.') : t('No report is open.'),
    )}${items.length >= ROWS ? nextPage(REPORTS, query, { max_id: older }) : ''}`,
  })
}

const show = async (request: StaffRequest): Promise<void> => {
  const { query } = request.req
  const summary = await request.callApi(summarizeReports, {})
  if (query.state !== undefined || query.target_account_id !== undefined || query.account_id !== undefined)
    return showPast(request, summary)
  const queue = { queue: 'open', ...queueIn(query) }
  const { items, next } = await reportsOf(request, queue, query.after, ROWS)
  request.show({
    title: t('Reports'),
    current: 'reports',
    body: html`${queueTabs(summary, queue.queue)}${ages(summary, queue)}${filters(queue)}${reportTable(
      request,
      items,
      t('No report is open.'),
      queue,
    )}${nextPage(REPORTS, queue, { after: next })}`,
  })
}

export const addReports = (admin: Admin): void => admin.add('get', REPORTS, 'manage_reports', show)
