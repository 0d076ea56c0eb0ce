/** Pending sign-ups below `/admin`: the reason of each, and approval or rejection of one or of a selection. */
import { adminAccountApprove, adminAccountList, adminAccountReject } from '@murmuration/contracts/admin'
import type { AdminAccount } from '@murmuration/contracts/entities'
import { idOrNull } from '../home/id.js'
import { html } from '../html.js'
import { say, sayOf } from '../language.js'
import { agoOf } from '../parts/time.js'
import { type Admin, attempt, type Fields, type StaffVisit } from './frame.js'
import { accountCell, badge, filtersIn, idsIn, nextPage, table } from './table.js'

const HERE = '/admin/sign_ups'
/** Rows of a page. It bounds the decisions of one form, because each is an operation of its own. */
const ROWS = 20

const row = (one: AdminAccount, now: number) => [
  html`<label class="choice"><input type="checkbox" name="ids[]" value="${one.id}" form="sign-ups" aria-label="${sayOf('Select %s', `@${one.username}`)}"></label>`,
  accountCell(one, true),
  one.invite_request
    ? html`<p class="quote">${one.invite_request}</p>`
    : html`<span class="soft">${one.invited_by_account_id ? say('Invited') : say('No reason given')}</span>`,
  html`${one.email} ${one.confirmed ? '' : badge('E-mail not confirmed')}`,
  one.ip ? html`<a href="/admin/accounts?ip=${one.ip}">${one.ip}</a>` : html`<span class="soft">–</span>`,
  agoOf(one.created_at, now),
  html`<div class="row"><button type="submit" form="sign-ups" name="approve" value="${one.id}">Approve</button><button class="danger" type="submit" form="sign-ups" name="reject" value="${one.id}">Reject</button></div>`,
]

const show = async (visit: StaffVisit): Promise<void> => {
  const { max_id } = filtersIn(visit.req.query, ['max_id'])
  const before = idOrNull(max_id)
  const { items, older } = await visit.ask.page(adminAccountList, {
    origin: 'local',
    status: 'pending',
    ...(before ? { max_id: before } : {}),
    limit: ROWS,
  })
  visit.show({
    title: 'Pending sign-ups',
    current: 'sign-ups',
    body: html`<p class="soft">Approved accounts receive an e-mail. Rejected sign-ups are deleted, and their name and e-mail address become free.</p>${table(
      'Pending sign-ups',
      ['Select', 'Account', 'Reason', 'E-mail address', 'IP address', 'Signed up', ''],
      items.map((one) => row(one, visit.now)),
      'No sign-up is pending.',
    )}<form id="sign-ups" class="${items.length > 1 ? 'bulk' : ''}" method="post" action="${HERE}">${visit.proof}${
      items.length > 1
        ? html`<div class="acts"><span>Selected sign-ups:</span><button class="small" type="submit" name="do" value="approve">Approve the selection</button><button class="danger small" type="submit" name="do" value="reject">Reject the selection</button></div>`
        : ''
    }</form>${items.length >= ROWS ? nextPage(HERE, {}, { max_id: older }) : ''}`,
  })
}

/** The decision and its accounts: of one button in a row, or of the selection. */
const decisionIn = (form: Fields): { isApproval: boolean; ids: string[] } => {
  const one = idOrNull(form.approve) ?? idOrNull(form.reject)
  if (one !== null) return { isApproval: idOrNull(form.approve) !== null, ids: [one] }
  return { isApproval: form.do === 'approve', ids: idsIn(form.ids, ROWS) }
}

export const addSignUps = (admin: Admin): void => {
  admin.add('get', HERE, 'manage_users', show)
  admin.add('post', HERE, 'manage_users', async ({ ask, done }, form) => {
    const { isApproval, ids } = decisionIn(form)
    if (ids.length === 0) return done(HERE, 'No sign-up was selected.')
    const operation = isApproval ? adminAccountApprove : adminAccountReject
    const problems = await Promise.all(ids.map((id) => attempt(() => ask(operation, { id }))))
    const problem = problems.find((one) => one !== null)
    const text = isApproval ? 'The sign-up was approved.' : 'The sign-up was rejected.'
    const many = isApproval ? 'The selected sign-ups were approved.' : 'The selected sign-ups were rejected.'
    done(HERE, problem ?? (ids.length === 1 ? text : many))
  })
}
