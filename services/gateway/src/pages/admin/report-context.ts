/** Sections of a report's page: reported account, other reports, and history. */
import { browseAuditLog, listStrikes } from '@murmuration/contracts/admin'
import type { AdminReport } from '@murmuration/contracts/entities'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { agoOf, numberOf } from '../core/parts/time.js'
import { actionLinks } from './act.js'
import { auditTable } from './audit-log.js'
import type { StaffRequest } from './frame.js'
import { type Queue, REPORTS, reportPath } from './report-queue.js'
import { CATEGORIES } from './reports.js'
import { strikesPath } from './strikes.js'
import { accountCell, badge, definitionList, emailOf, handleOf, stateBadges } from './table.js'

const MAX_STRIKES = 100

/** Number of previous strikes of the account, as a link to the strikes; null if the viewer may not read them. */
export const strikesLink = async ({ callApi, may }: StaffRequest, account: string): Promise<Html | null> => {
  if (!may('manage_users')) return null
  const { length } = await callApi(listStrikes, { account_id: account, limit: MAX_STRIKES })
  const text = `${numberOf(length)}${length === MAX_STRIKES ? '+' : ''}`
  return length === 0 ? html`${t('None')}` : html`<a href="${strikesPath(account)}">${text}</a>`
}

export const targetCard = async (request: StaffRequest, report: AdminReport, queue: Queue): Promise<Html> => {
  const { target_account: target } = report
  const isManager = request.may('manage_users')
  return html`<section class="card"><h2>${t('Reported account')}</h2><p>${accountCell(target, isManager)}</p><p>${stateBadges(target)}</p>${definitionList(
    [
      [t('Joined'), agoOf(target.created_at, request.now)],
      [t('Posts'), numberOf(target.account.statuses_count)],
      [t('Followers'), numberOf(target.account.followers_count)],
      [t('Previous decisions'), await strikesLink(request, target.id)],
      [t('E-mail address'), isManager ? emailOf(target.email) : null],
    ],
  )}${
    isManager && !report.action_taken
      ? html`<h3>${t('Act on the account')}</h3><p class="muted small">${t('The next page explains the consequence before anything happens.')}</p>${actionLinks(target, report.id, queue)}`
      : ''
  }</section>`
}

type Other = (report: AdminReport) => AdminReport['account']

const reportLines = (reports: readonly AdminReport[], other: Other, now: number): Html =>
  html`<ul class="plain-list">${reports.map(
    (one) =>
      html`<li><span><a href="${reportPath(one.id)}">${t(CATEGORIES[one.category] ?? one.category)}</a> ${handleOf(other(one))} ${
        one.action_taken ? badge(t('Resolved'), 'ok') : badge(t('Open'), 'warn')
      }</span><span class="n">${agoOf(one.created_at, now)}</span></li>`,
  )}</ul>`

/** Other reports about the same account with their reporters, and by the same reporter with their targets. */
export const otherReports = (
  { now }: Pick<StaffRequest, 'now'>,
  { id, target_account: target, account }: AdminReport,
  about: readonly AdminReport[],
  by: readonly AdminReport[],
): Html => {
  const section = (heading: string, list: readonly AdminReport[], other: Other, filter: string): Html => {
    const others = list.filter((one) => one.id !== id).slice(0, 5)
    const path = `${REPORTS}?state=all&${filter}`
    return html`<h3>${heading}</h3>${
      others.length === 0
        ? html`<p class="muted">${t('None')}</p>`
        : html`${reportLines(others, other, now)}<p class="small"><a href="${path}">${t('All reports')}</a></p>`
    }`
  }
  return html`<section class="card others"><h2>${t('Other reports')}</h2>${section(
    t('About this account'),
    about,
    (one) => one.account,
    `target_account_id=${target.id}`,
  )}${section(t('By the same reporter'), by, (one) => one.target_account, `account_id=${account.id}`)}</section>`
}

/** Card with the audit log entries about the report and about its account, newest first. */
export const historyCard = async (request: StaffRequest, report: AdminReport): Promise<Html | ''> => {
  const { callApi, may } = request
  if (!may('view_audit_log')) return ''
  const pages = await Promise.all(
    [report.id, report.target_account.id].map((target_id) => callApi(browseAuditLog, { target_id, limit: 20 })),
  )
  const entries = pages
    .flat()
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))
    .slice(0, 20)
  return html`<h2>${t('History')}</h2>${await auditTable(request, entries, t('Staff did nothing to this report or its account yet.'))}`
}
