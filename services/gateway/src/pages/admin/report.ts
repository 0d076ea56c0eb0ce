/** Page of one report below `/admin`: reported posts, reported account, history and actions. */
import {
  assignReport,
  assignReportToSelf,
  listAdminReports,
  listReportAssignees,
  reopenReport,
  resolveReport,
  showAdminReport,
  unassignReport,
} from '@murmuration/contracts/admin'
import type { AdminAccount, AdminReport } from '@murmuration/contracts/entities'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { type Message, msg } from '@murmuration/messages'
import { type Html, html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { agoOf, timeOf } from '../core/parts/time.js'
import { type Admin, attempt, type StaffRequest } from './frame.js'
import { ACCOUNT_NOTES, notesCard, notesOf, REPORT_NOTES } from './notes.js'
import { historyCard, otherReports, targetCard } from './report-context.js'
import { nextReport, pathAfter, type Queue, queueIn, REPORTS, reportPath, withQueue } from './report-queue.js'
import { reportedPosts } from './report-statuses.js'
import { CATEGORIES } from './reports.js'
import { badge, definitionList, handleOf } from './table.js'

const DECISIONS = new Map<unknown, readonly [AnyOperation, Message]>([
  ['take', [assignReportToSelf, msg('The report is assigned to you.')]],
  ['unassign', [unassignReport, msg('The report is no longer assigned.')]],
  ['resolve', [resolveReport, msg('The report is resolved.')]],
  ['reopen', [reopenReport, msg('The report is open again.')]],
])

const button = (name: string, label: string, look = 'quiet'): Html =>
  html`<button class="${look}" type="submit" name="do" value="${name}">${label}</button>`

const decisions = (request: StaffRequest, report: AdminReport, staff: readonly AdminAccount[], queue: Queue): Html => {
  const { csrfField, user } = request
  const assigned = report.assigned_account?.id
  const others = staff.filter((one) => one.id !== user.viewer.id && one.id !== assigned)
  return html`<form class="acts" method="post" action="${reportPath(report.id, queue)}">${csrfField}${
    report.action_taken ? button('reopen', t('Reopen the report')) : button('resolve', t('Resolve without action'), '')
  }${assigned === user.viewer.id ? '' : button('take', t('Assign to me'))}${assigned ? button('unassign', t('Unassign')) : ''}${
    others.length === 0
      ? ''
      : html`<span class="inline"><label class="visually-hidden" for="assignee">${t('Assign to')}</label><select id="assignee" name="account_id">${others.map(
          (one) => html`<option value="${one.id}">${handleOf(one)}</option>`,
        )}</select>${button('assign', t('Assign to this account'))}</span>`
  }</form>`
}

const complaint = (report: AdminReport, now: number): Html =>
  html`<section class="card"><h2>${t('Complaint')}</h2>${
    report.comment === ''
      ? html`<p class="muted">${t('No comment was written.')}</p>`
      : html`<p class="quote">${report.comment}</p>`
  }${definitionList([
    [t('Category'), t(CATEGORIES[report.category] ?? report.category)],
    [
      t('Rules'),
      report.rules.length > 0 ? html`<ul>${report.rules.map(({ text }) => html`<li>${text}</li>`)}</ul>` : null,
    ],
    [t('Reported by'), handleOf(report.account)],
    [t('Created'), html`${timeOf(report.created_at)} <span class="muted">(${agoOf(report.created_at, now)})</span>`],
    [t('Assigned to'), report.assigned_account ? handleOf(report.assigned_account) : t('Nobody')],
    [t('Forwarded'), report.forwarded ? t('Sent to the server of the account') : null],
    [t('Resolved'), report.action_taken_at ? timeOf(report.action_taken_at) : null],
    [t('Resolved by'), report.action_taken_by_account ? handleOf(report.action_taken_by_account) : null],
  ])}</section>`

const show = async (request: StaffRequest): Promise<void> => {
  const { callApi, req } = request
  const report = await callApi(showAdminReport, { id: idIn(req.params.id) })
  const queue = queueIn(req.query)
  const { target_account: target, account: reporter } = report
  const all = { resolved: true, unresolved: true, limit: 6 }
  const [about, by, next, staff, notes, accountNotes, history] = await Promise.all([
    callApi.page(listAdminReports, { ...all, target_account_id: target.id }),
    callApi.page(listAdminReports, { ...all, account_id: reporter.id }),
    nextReport(request, queue, report.id),
    callApi(listReportAssignees, { limit: 100 }),
    notesOf(request, REPORT_NOTES, report.id),
    notesOf(request, ACCOUNT_NOTES, target.id),
    historyCard(request, report),
  ])
  request.show({
    title: t('Report'),
    heading: html`${t('Report about {handle}', { handle: handleOf(target) })} ${
      report.action_taken ? badge(t('Resolved'), 'ok') : badge(t('Open'), 'warn')
    }`,
    above: html`<a href="${withQueue(REPORTS, queue)}">${t('Reports')}</a>${
      next ? html` · <a href="${reportPath(next, queue)}" rel="next" accesskey="n">${t('Next open report')}</a>` : ''
    }`,
    current: 'reports',
    body: html`${decisions(request, report, staff, queue)}<div class="columns"><div>${complaint(report, request.now)}<h2>${t('Reported posts')}</h2>${reportedPosts(
      request,
      report,
    )}${notesCard(request, REPORT_NOTES, report.id, notes)}</div><div>${await targetCard(request, report, queue)}${notesCard(
      request,
      ACCOUNT_NOTES,
      target.id,
      accountNotes,
    )}${otherReports(request, report, about.items, by.items)}</div></div>${history}`,
  })
}

export const addReport = (admin: Admin): void => {
  admin.add('get', reportPath(':id'), 'manage_reports', show)
  admin.add('post', reportPath(':id'), 'manage_reports', async (request, form) => {
    const { callApi, req, done } = request
    const id = idIn(req.params.id)
    const queue = queueIn(req.query)
    if (form.do === 'assign') {
      const problem = await attempt(() => callApi(assignReport, { id, account_id: idIn(form.account_id) }))
      return done(reportPath(id, queue), problem ?? t('The report is assigned.'))
    }
    const [operation, text] = DECISIONS.get(form.do) ?? []
    if (!operation || !text) throw pageNotFound()
    const problem = await attempt(() => callApi(operation, { id }))
    const isDecided = form.do === 'resolve' && problem === null
    done(isDecided ? await pathAfter(request, queue, id) : reportPath(id, queue), problem ?? t(text))
  })
}
