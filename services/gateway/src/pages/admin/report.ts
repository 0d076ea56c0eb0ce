/** One report below `/admin`: what was reported, the reported account, and what staff can do about it. */
import {
  actOnReportedStatuses,
  adminReportAssign,
  adminReportList,
  adminReportReopen,
  adminReportResolve,
  adminReportShow,
  adminReportUnassign,
} from '@murmuration/contracts/admin'
import type { AdminReport } from '@murmuration/contracts/entities'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { idIn } from '../home/id.js'
import { type Html, html } from '../html.js'
import { say, sayOf } from '../language.js'
import { bodyOf } from '../parts/status.js'
import { agoOf, timeOf } from '../parts/time.js'
import { nothingHere } from '../visit.js'
import { actionLinks } from './act.js'
import { type Admin, attempt, type StaffVisit } from './frame.js'
import { CATEGORIES, reportPath } from './reports.js'
import { accountCell, badge, facts, handleOf, stateBadges } from './table.js'

const DECISIONS = new Map<unknown, readonly [AnyOperation, string]>([
  ['assign', [adminReportAssign, 'The report is assigned to you.']],
  ['unassign', [adminReportUnassign, 'The report is no longer assigned.']],
  ['resolve', [adminReportResolve, 'The report is resolved.']],
  ['reopen', [adminReportReopen, 'The report is open again.']],
])

const button = (name: string, label: string, look = 'quiet'): Html =>
  html`<button class="${look}" type="submit" name="do" value="${name}">${say(label)}</button>`

const decisions = ({ proof, person }: StaffVisit, report: AdminReport): Html => {
  const isMine = report.assigned_account?.id === person.viewer.id
  return html`<form class="acts" method="post" action="${reportPath(report.id)}">${proof}${
    report.action_taken ? button('reopen', 'Reopen the report') : button('resolve', 'Resolve without action', '')
  }${isMine ? '' : button('assign', 'Assign to me')}${report.assigned_account ? button('unassign', 'Unassign') : ''}</form>`
}

const statusCard = (status: AdminReport['statuses'][number], now: number): Html =>
  html`<article class="card status"><p class="soft small">${agoOf(status.created_at, now)} · <a href="${status.url ?? status.uri}" rel="nofollow noopener">Open the post</a></p>${bodyOf(status)}</article>`

const complaint = (report: AdminReport): Html =>
  html`<section class="card"><h2>Complaint</h2>${
    report.comment === ''
      ? html`<p class="soft">No comment was written.</p>`
      : html`<p class="quote">${report.comment}</p>`
  }${facts([
    ['Category', say(CATEGORIES[report.category] ?? report.category)],
    [
      'Rules',
      report.rules.length > 0 ? html`<ul>${report.rules.map(({ text }) => html`<li>${text}</li>`)}</ul>` : null,
    ],
    ['Reported by', handleOf(report.account)],
    ['Created', timeOf(report.created_at)],
    ['Assigned to', report.assigned_account ? handleOf(report.assigned_account) : say('Nobody')],
    ['Forwarded', report.forwarded ? say('Sent to the server of the account') : null],
    ['Resolved', report.action_taken_at ? timeOf(report.action_taken_at) : null],
    ['Resolved by', report.action_taken_by_account ? handleOf(report.action_taken_by_account) : null],
  ])}</section>`

const targetCard = (visit: StaffVisit, report: AdminReport, others: number): Html => {
  const { target_account: target } = report
  return html`<section class="card"><h2>Reported account</h2><p>${accountCell(target, visit.may('manage_users'))}</p><p>${stateBadges(target)}</p>${facts(
    [
      ['Joined', agoOf(target.created_at, visit.now)],
      ['Posts', target.account.statuses_count],
      ['Followers', target.account.followers_count],
      ['E-mail address', visit.may('manage_users') ? target.email : null],
      [
        'Other open reports',
        others > 0 ? html`<a href="/admin/reports?target_account_id=${target.id}">${others}</a>` : say('None'),
      ],
    ],
  )}${
    visit.may('manage_users') && !report.action_taken
      ? html`<h3>Act on the account</h3><p class="soft small">The next page explains the consequence before anything happens.</p>${actionLinks(target, report.id)}`
      : ''
  }</section>`
}

/** The form that acts on the reported posts; none without posts, or after the report is resolved. */
const postsForm = ({ proof }: StaffVisit, report: AdminReport): Html | '' =>
  report.action_taken || report.statuses.length === 0
    ? ''
    : html`<section class="card"><h2>Act on the posts</h2><div class="preview" role="note"><p>Media of posts that are marked as sensitive are hidden at first. You can undo this in the audit log.</p><p>Deleted posts cannot be restored.</p><p>The report is resolved, and the account holder can appeal.</p></div><form method="post" action="${reportPath(report.id)}/statuses">${proof}<label for="text">Text</label><textarea id="text" name="text" rows="3" maxlength="2000"></textarea>${
        report.target_account.domain === null
          ? html`<label class="choice"><input type="checkbox" name="mail" value="1" checked> Notify the account holder by e-mail</label>`
          : ''
      }<p class="acts"><button type="submit" name="type" value="mark_statuses_as_sensitive">Mark posts as sensitive</button><button class="danger" type="submit" name="type" value="delete_statuses">Delete posts for good</button></p></form></section>`

const show = async (visit: StaffVisit): Promise<void> => {
  const report = await visit.ask(adminReportShow, { id: idIn(visit.req.params.id) })
  const [open, next] = await Promise.all([
    visit.ask.page(adminReportList, { target_account_id: report.target_account.id, limit: 20 }),
    visit.ask.page(adminReportList, { max_id: report.id, limit: 1 }),
  ])
  const others = open.items.filter(({ id }) => id !== report.id).length
  const [following] = next.items
  visit.show({
    title: 'Report',
    heading: html`${sayOf('Report about %s', handleOf(report.target_account))} ${
      report.action_taken ? badge('Resolved', 'ok') : badge('Open', 'warn')
    }`,
    above: html`<a href="/admin/reports">Reports</a>${
      following ? html` · <a href="${reportPath(following.id)}" rel="next" accesskey="n">Next open report</a>` : ''
    }`,
    current: 'reports',
    body: html`${decisions(visit, report)}<div class="halves"><div>${complaint(report)}<h2>Reported posts</h2>${
      report.statuses.length === 0
        ? html`<p class="card soft">The report names no posts, or they were deleted.</p>`
        : report.statuses.map((one) => statusCard(one, visit.now))
    }${postsForm(visit, report)}</div>${targetCard(visit, report, others)}</div>`,
  })
}

export const addReport = (admin: Admin): void => {
  admin.add('post', `${reportPath(':id')}/statuses`, 'manage_reports', async ({ ask, req, done }, form) => {
    const id = idIn(req.params.id)
    const [type, text] = [String(form.type ?? ''), String(form.text ?? '')]
    const problem = await attempt(() =>
      ask(actOnReportedStatuses, { id, type, text, send_email_notification: form.mail === '1' }),
    )
    const isDeleted = type === 'delete_statuses'
    done(reportPath(id), problem ?? (isDeleted ? 'The posts are deleted.' : 'The posts are marked as sensitive.'))
  })
  admin.add('get', reportPath(':id'), 'manage_reports', show)
  admin.add('post', reportPath(':id'), 'manage_reports', async ({ ask, req, done }, form) => {
    const id = idIn(req.params.id)
    const [operation, text] = DECISIONS.get(form.do) ?? []
    if (!operation) throw nothingHere()
    const problem = await attempt(() => ask(operation, { id }))
    done(reportPath(id), problem ?? text)
  })
}
