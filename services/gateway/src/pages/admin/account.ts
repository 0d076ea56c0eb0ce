/** Page of one account below `/admin`: login, state, reports, history and actions. */
import { memorializeUser } from '@murmuration/contracts/accounts'
import {
  browseAuditLog,
  deleteAccountByStaff,
  enableAccount,
  listAdminReports,
  showAccountForStaff,
  unsensitizeAccount,
  unsilenceAccount,
  unsuspendAccount,
} from '@murmuration/contracts/admin'
import type { AdminAccount } from '@murmuration/contracts/entities'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { type Message, msg } from '@murmuration/messages'
import { webUrl } from '@murmuration/text'
import { type Html, html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { agoOf, numberOf, timeOf } from '../core/parts/time.js'
import { nameOf, plainText, richText } from '../core/rich-text.js'
import { accountPath } from '../home/article.js'
import { actionLinks } from './act.js'
import { auditTable } from './audit-log.js'
import { type Admin, attempt, type StaffRequest } from './frame.js'
import { ACCOUNT_NOTES, notesCard, notesOf } from './notes.js'
import { strikesLink } from './report-context.js'
import { reportTable } from './reports.js'
import { adminAccountPath, badge, definitionList, emailOf, handleOf, stateBadges } from './table.js'

const UNDO = new Map<unknown, readonly [AnyOperation, Message]>([
  ['unsuspend', [unsuspendAccount, msg('The account is no longer suspended.')]],
  ['unsilence', [unsilenceAccount, msg('The account is no longer limited.')]],
  ['unsensitive', [unsensitizeAccount, msg('Media of the account are no longer hidden.')]],
  ['enable', [enableAccount, msg('The account holder can sign in again.')]],
])

const undoButtons = ({ csrfField }: StaffRequest, one: AdminAccount): Html | '' => {
  const button = (name: string, label: string): Html =>
    html`<button type="submit" name="do" value="${name}">${label}</button>`
  const buttons = [
    one.suspended && button('unsuspend', t('Undo the suspension')),
    one.silenced && button('unsilence', t('Undo the limit')),
    one.sensitized && button('unsensitive', t('Show media again')),
    one.disabled && button('enable', t('Enable sign-in')),
  ].filter((each) => each !== false)
  return buttons.length === 0
    ? ''
    : html`<form class="acts" method="post" action="${adminAccountPath(one.id)}">${csrfField}${buttons}</form><p class="muted small">${t('Reports that were resolved stay resolved. To open them again too, undo the action in the audit log.')}</p>`
}

const loginCard = ({ may }: StaffRequest, one: AdminAccount): Html =>
  html`<section class="card"><h2>${t('Login')}</h2>${definitionList([
    [t('E-mail address'), emailOf(one.email)],
    [t('E-mail confirmed'), one.domain === null ? (one.confirmed ? t('Yes') : badge(t('No'), 'warn')) : null],
    [
      t('Role'),
      html`${one.role?.name || html`<span class="muted">${t('No role')}</span>`}${
        one.domain === null && may('manage_roles')
          ? html` <a href="${adminAccountPath(one.id)}/role">${t('Change the role')}</a>`
          : ''
      }`,
    ],
    [t('Language'), one.locale],
    [t('Last IP address'), one.ip ? html`<a href="/admin/accounts?ip=${one.ip}">${one.ip}</a>` : null],
    [
      t('IP addresses'),
      one.ips.length > 0
        ? html`<ul class="plain-list">${one.ips
            .slice(0, 10)
            .map(({ ip, used_at }) => html`<li><span>${ip}</span><span class="n">${timeOf(used_at)}</span></li>`)}</ul>`
        : null,
    ],
    [
      t('Invited by'),
      one.invited_by_account_id
        ? html`<a href="${adminAccountPath(one.invited_by_account_id)}">${one.invited_by_account_id}</a>`
        : null,
    ],
    [t('Reason for joining'), one.invite_request ? html`<p class="quote">${one.invite_request}</p>` : null],
  ])}</section>`

const memorialCard = ({ may, csrfField }: StaffRequest, { id, domain, account }: AdminAccount): Html | '' =>
  may('delete_user_data') && domain === null && !account.memorial
    ? html`<details class="card"><summary>${t('Memorial')}</summary><p>${t('For an account whose holder has died. The profile and posts stay, with the note “in memoriam”. Nobody can sign in to the account anymore.')}</p><form method="post" action="${adminAccountPath(id)}/memorialize">${csrfField}<label class="choice"><input type="checkbox" name="sure" value="1" required> ${t('Mark the account as a memorial')}</label><p class="acts"><button class="danger" type="submit">${t('Mark as a memorial')}</button></p></form></details>`
    : ''

const profileCard = ({ now, may }: StaffRequest, one: AdminAccount, strikes: Html | null): Html => {
  const { account } = one
  const original = webUrl(account.url)
  return html`<section class="card"><h2>${t('Profile')}</h2>${
    account.note ? html`<div class="content">${richText(account.note, account.emojis)}</div>` : ''
  }${definitionList([
    [t('Joined'), agoOf(one.created_at, now)],
    [
      t('Domain'),
      one.domain === null
        ? null
        : may('manage_federation')
          ? html`<a href="/admin/accounts?by_domain=${one.domain}">${one.domain}</a>`
          : one.domain,
    ],
    [t('Posts'), numberOf(account.statuses_count)],
    [t('Followers'), numberOf(account.followers_count)],
    [t('Following'), numberOf(account.following_count)],
    [t('Last post'), account.last_status_at],
    [t('Previous decisions'), strikes],
  ])}<p class="acts"><a class="button quiet" href="${accountPath(one.id)}">${t('Profile and posts')}</a>${
    original === null || one.domain === null
      ? ''
      : html`<a class="button quiet" href="${original}" rel="nofollow noopener">${t('Original profile')}</a>`
  }</p></section>`
}

const show = async (request: StaffRequest): Promise<void> => {
  const { callApi, may, req, csrfField } = request
  const id = idIn(req.params.id)
  const [one, reports, history, notes, strikes] = await Promise.all([
    callApi(showAccountForStaff, { id }),
    may('manage_reports')
      ? callApi.page(listAdminReports, { target_account_id: id, resolved: true, unresolved: true, limit: 10 })
      : null,
    may('view_audit_log') ? callApi.page(browseAuditLog, { target_id: id, limit: 20 }) : null,
    notesOf(request, ACCOUNT_NOTES, id),
    strikesLink(request, id),
  ])
  const past = history ? await auditTable(request, history.items, t('Staff did nothing to this account yet.')) : null
  request.show({
    title: handleOf(one),
    heading: html`${plainText(nameOf(one.account), one.account.emojis)} <span class="muted">${handleOf(one)}</span> ${stateBadges(one)}`,
    above: html`<a href="/admin/accounts">${t('Accounts')}</a>`,
    current: 'accounts',
    body: html`${
      one.approved === false
        ? html`<p class="card">${t('This sign-up is pending.')} <a href="/admin/sign_ups">${t('Approve or reject it')}</a></p>`
        : html`<section class="card"><h2>${t('Actions')}</h2>${undoButtons(request, one)}${actionLinks(one)}</section>`
    }<div class="columns"><div>${profileCard(request, one, strikes)}${notesCard(request, ACCOUNT_NOTES, id, notes)}</div><div>${loginCard(request, one)}${memorialCard(request, one)}${
      may('delete_user_data') && one.suspended
        ? html`<section class="card"><h2>${t('Delete the data')}</h2><p>${t('The profile, posts and media are deleted at once. This cannot be undone.')}</p><form method="post" action="${adminAccountPath(id)}/delete">${csrfField}<label class="choice"><input type="checkbox" name="sure" value="1" required> ${t('Delete everything for good')}</label><p class="acts"><button class="danger" type="submit">${t('Delete the data')}</button></p></form></section>`
        : ''
    }</div></div>${
      reports === null
        ? ''
        : html`<h2>${t('Reports')}</h2>${reportTable(request, reports.items, t('Nobody reported this account.'))}`
    }${past === null ? '' : html`<h2>${t('History')}</h2>${past}`}`,
  })
}

export const addAccount = (admin: Admin): void => {
  const path = adminAccountPath(':id')
  admin.add('get', path, 'manage_users', show)
  admin.add('post', path, 'manage_users', async ({ callApi, req, done }, form) => {
    const id = idIn(req.params.id)
    const [operation, text] = UNDO.get(form.do) ?? []
    if (!operation || !text) throw pageNotFound()
    const problem = await attempt(() => callApi(operation, { id }))
    done(adminAccountPath(id), problem ?? t(text))
  })
  admin.add('post', `${path}/memorialize`, 'delete_user_data', async ({ callApi, req, done }, form) => {
    const id = idIn(req.params.id)
    if (form.sure !== '1') return done(adminAccountPath(id), t('Nothing was changed: confirm it with the checkbox.'))
    const problem = await attempt(() => callApi(memorializeUser, { id }))
    done(adminAccountPath(id), problem ?? t('The account is a memorial now. The audit log can undo that.'))
  })
  admin.add('post', `${path}/delete`, 'delete_user_data', async ({ callApi, req, done }, form) => {
    const id = idIn(req.params.id)
    if (form.sure !== '1') return done(adminAccountPath(id), t('Nothing was deleted: confirm it with the checkbox.'))
    const problem = await attempt(() => callApi(deleteAccountByStaff, { id }))
    done(problem ? adminAccountPath(id) : '/admin/accounts', problem ?? t('The data of the account are deleted.'))
  })
}
