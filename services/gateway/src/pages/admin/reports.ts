/** The queue of reports below `/admin`: open or resolved ones, also of one account. */
import { adminReportList } from '@murmuration/contracts/admin'
import type { AdminReport } from '@murmuration/contracts/entities'
import { isId } from '@murmuration/contracts/kit'
import { excerpt } from '@murmuration/text'
import { type Html, html } from '../html.js'
import { say } from '../language.js'
import { agoOf, countOf } from '../parts/time.js'
import type { Admin, StaffVisit } from './frame.js'
import { accountCell, badge, filtersIn, handleOf, nextPage, table, tabs } from './table.js'

const HERE = '/admin/reports'
const ROWS = 25

export const reportPath = (id: string): string => `${HERE}/${id}`

export const CATEGORIES: Readonly<Record<string, string>> = {
  spam: 'Spam',
  legal: 'Illegal content',
  violation: 'Breaks a rule',
  other: 'Something else',
}

const excerptOf = ({ comment }: AdminReport): Html | '' =>
  comment === '' ? '' : html`<p class="quote soft">${excerpt(comment, 160)}</p>`

/** Reports as rows, also on the page about an account. */
export const reportTable = (
  { may, now }: Pick<StaffVisit, 'may' | 'now'>,
  reports: readonly AdminReport[],
  empty: string,
): Html =>
  table(
    'Reports',
    ['Report', 'Reported account', 'Reported by', 'Content', 'Assigned to', 'Age'],
    reports.map((one) => [
      html`<a href="${reportPath(one.id)}"><b>${say(CATEGORIES[one.category] ?? one.category)}</b></a> ${
        one.action_taken ? badge('Resolved', 'ok') : badge('Open', 'warn')
      }${excerptOf(one)}`,
      accountCell(one.target_account, may('manage_users')),
      html`${handleOf(one.account)}`,
      countOf(one.statuses.length, 'post'),
      one.assigned_account ? handleOf(one.assigned_account) : html`<span class="soft">Nobody</span>`,
      agoOf(one.created_at, now),
    ]),
    empty,
  )

const show = async (visit: StaffVisit): Promise<void> => {
  const { ask, req } = visit
  const query = filtersIn(req.query, ['state', 'target_account_id', 'account_id'])
  const ids = Object.fromEntries(Object.entries(query).filter(([name, value]) => name !== 'state' && isId(value)))
  const isResolved = query.state === 'resolved'
  const { max_id } = filtersIn(req.query, ['max_id'])
  const { items, older } = await ask.page(adminReportList, {
    ...ids,
    ...(isResolved ? { resolved: true } : {}),
    ...(max_id && isId(max_id) ? { max_id } : {}),
    limit: ROWS,
  })
  const about = ids.target_account_id ? items[0]?.target_account : undefined
  visit.show({
    title: 'Reports',
    current: 'reports',
    ...(about ? { above: html`<a href="${HERE}">All reports</a> · ${handleOf(about)}` } : {}),
    body: html`${tabs(
      'Reports',
      [
        [HERE, 'Open'],
        [`${HERE}?state=resolved`, 'Resolved'],
      ],
      isResolved ? `${HERE}?state=resolved` : HERE,
    )}${reportTable(visit, items, isResolved ? 'No report was resolved yet.' : 'No report is open.')}${
      items.length >= ROWS ? nextPage(HERE, query, { max_id: older }) : ''
    }`,
  })
}

export const addReports = (admin: Admin): void => admin.add('get', HERE, 'manage_reports', show)
