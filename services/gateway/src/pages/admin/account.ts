/** One account on one page below `/admin`: login, state, reports, history, and everything that staff can do to it. */
import {
  adminAccountDelete,
  adminAccountEnable,
  adminAccountShow,
  adminAccountUnsensitive,
  adminAccountUnsilence,
  adminAccountUnsuspend,
  adminReportList,
  auditLogBrowse,
} from '@murmuration/contracts/admin'
import type { AdminAccount } from '@murmuration/contracts/entities'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { webUrl } from '@murmuration/text'
import { type Html, html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { say } from '../core/language.js'
import { agoOf, numberOf, timeOf } from '../core/parts/time.js'
import { nameOf, plainText, richText } from '../core/rich-text.js'
import { nothingHere } from '../core/visit.js'
import { accountPath } from '../home/article.js'
import { actionLinks } from './act.js'
import { auditTable } from './audit-log.js'
import { type Admin, attempt, type StaffVisit } from './frame.js'
import { ACCOUNT_NOTES, notesCard, notesOf } from './notes.js'
import { strikesLink } from './report-context.js'
import { reportTable } from './reports.js'
import { adminAccountPath, badge, facts, handleOf, stateBadges } from './table.js'

const UNDO = new Map<unknown, readonly [AnyOperation, string]>([
  ['unsuspend', [adminAccountUnsuspend, 'The account is no longer suspended.']],
  ['unsilence', [adminAccountUnsilence, 'The account is no longer limited.']],
  ['unsensitive', [adminAccountUnsensitive, 'Media of the account are no longer hidden.']],
  ['enable', [adminAccountEnable, 'The account holder can sign in again.']],
])

const undoButtons = ({ proof }: StaffVisit, one: AdminAccount): Html | '' => {
  const button = (name: string, label: string): Html =>
    html`<button type="submit" name="do" value="${name}">${say(label)}</button>`
  const buttons = [
    one.suspended && button('unsuspend', 'Undo the suspension'),
    one.silenced && button('unsilence', 'Undo the limit'),
    one.sensitized && button('unsensitive', 'Show media again'),
    one.disabled && button('enable', 'Enable sign-in'),
  ].filter((each) => each !== false)
  return buttons.length === 0
    ? ''
    : html`<form class="acts" method="post" action="${adminAccountPath(one.id)}">${proof}${buttons}</form>`
}

const loginCard = ({ may }: StaffVisit, one: AdminAccount): Html =>
  html`<section class="card"><h2>Login</h2>${facts([
    ['E-mail address', one.email],
    ['E-mail confirmed', one.domain === null ? (one.confirmed ? say('Yes') : badge('No', 'warn')) : null],
    [
      'Role',
      html`${one.role?.name || html`<span class="soft">No role</span>`}${
        one.domain === null && may('manage_roles')
          ? html` <a href="${adminAccountPath(one.id)}/role">Change the role</a>`
          : ''
      }`,
    ],
    ['Language', one.locale],
    ['Last IP address', one.ip ? html`<a href="/admin/accounts?ip=${one.ip}">${one.ip}</a>` : null],
    [
      'IP addresses',
      one.ips.length > 0
        ? html`<ul class="plain-list">${one.ips
            .slice(0, 10)
            .map(({ ip, used_at }) => html`<li><span>${ip}</span><span class="n">${timeOf(used_at)}</span></li>`)}</ul>`
        : null,
    ],
    [
      'Invited by',
      one.invited_by_account_id
        ? html`<a href="${adminAccountPath(one.invited_by_account_id)}">${one.invited_by_account_id}</a>`
        : null,
    ],
    ['Reason for joining', one.invite_request ? html`<p class="quote">${one.invite_request}</p>` : null],
  ])}</section>`

const profileCard = ({ now, may }: StaffVisit, one: AdminAccount, strikes: Html | null): Html => {
  const { account } = one
  const original = webUrl(account.url)
  return html`<section class="card"><h2>Profile</h2>${
    account.note ? html`<div class="content">${richText(account.note, account.emojis)}</div>` : ''
  }${facts([
    ['Joined', agoOf(one.created_at, now)],
    [
      'Domain',
      one.domain === null
        ? null
        : may('manage_federation')
          ? html`<a href="/admin/accounts?by_domain=${one.domain}">${one.domain}</a>`
          : one.domain,
    ],
    ['Posts', numberOf(account.statuses_count)],
    ['Followers', numberOf(account.followers_count)],
    ['Following', numberOf(account.following_count)],
    ['Last post', account.last_status_at],
    ['Previous decisions', strikes],
  ])}<p class="acts"><a class="button quiet" href="${accountPath(one.id)}">Profile and posts</a>${
    original === null || one.domain === null
      ? ''
      : html`<a class="button quiet" href="${original}" rel="nofollow noopener">Original profile</a>`
  }</p></section>`
}

const show = async (visit: StaffVisit): Promise<void> => {
  const { ask, may, req, proof } = visit
  const id = idIn(req.params.id)
  const [one, reports, history, notes, strikes] = await Promise.all([
    ask(adminAccountShow, { id }),
    may('manage_reports')
      ? ask.page(adminReportList, { target_account_id: id, resolved: true, unresolved: true, limit: 10 })
      : null,
    may('view_audit_log') ? ask.page(auditLogBrowse, { target_id: id, limit: 20 }) : null,
    notesOf(visit, ACCOUNT_NOTES, id),
    strikesLink(visit, id),
  ])
  const past = history ? await auditTable(visit, history.items, 'Staff did nothing to this account yet.') : null
  visit.show({
    title: handleOf(one),
    heading: html`${plainText(nameOf(one.account), one.account.emojis)} <span class="soft">${handleOf(one)}</span> ${stateBadges(one)}`,
    above: html`<a href="/admin/accounts">Accounts</a>`,
    current: 'accounts',
    body: html`${
      one.approved === false
        ? html`<p class="card">This sign-up is pending. <a href="/admin/sign_ups">Approve or reject it</a></p>`
        : html`<section class="card"><h2>Actions</h2>${undoButtons(visit, one)}${actionLinks(one)}</section>`
    }<div class="halves"><div>${profileCard(visit, one, strikes)}${notesCard(visit, ACCOUNT_NOTES, id, notes)}</div><div>${loginCard(visit, one)}${
      may('delete_user_data') && one.suspended
        ? html`<section class="card"><h2>Delete the data</h2><p>The profile, posts and media are deleted at once. This cannot be undone.</p><form method="post" action="${adminAccountPath(id)}/delete">${proof}<label class="choice"><input type="checkbox" name="sure" value="1" required> Delete everything for good</label><p class="acts"><button class="danger" type="submit">Delete the data</button></p></form></section>`
        : ''
    }</div></div>${
      reports === null
        ? ''
        : html`<h2>Reports</h2>${reportTable(visit, reports.items, 'Nobody reported this account.')}`
    }${past === null ? '' : html`<h2>History</h2>${past}`}`,
  })
}

export const addAccount = (admin: Admin): void => {
  const path = adminAccountPath(':id')
  admin.add('get', path, 'manage_users', show)
  admin.add('post', path, 'manage_users', async ({ ask, req, done }, form) => {
    const id = idIn(req.params.id)
    const [operation, text] = UNDO.get(form.do) ?? []
    if (!operation) throw nothingHere()
    const problem = await attempt(() => ask(operation, { id }))
    done(adminAccountPath(id), problem ?? text)
  })
  admin.add('post', `${path}/delete`, 'delete_user_data', async ({ ask, req, done }, form) => {
    const id = idIn(req.params.id)
    if (form.sure !== '1') return done(adminAccountPath(id), 'Nothing was deleted: confirm it with the checkbox.')
    const problem = await attempt(() => ask(adminAccountDelete, { id }))
    done(problem ? adminAccountPath(id) : '/admin/accounts', problem ?? 'The data of the account are deleted.')
  })
}
