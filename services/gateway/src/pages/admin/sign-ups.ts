/** Pending sign-ups below `/admin` with their reasons: approve or reject one, or many with a bulk action. */
import { approveAccountByStaff, listAccountsForStaff, rejectAccountByStaff } from '@murmuration/contracts/admin'
import type { AdminAccount } from '@murmuration/contracts/entities'
import { html } from '../core/html.js'
import { idOrNull } from '../core/id.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { agoOf } from '../core/parts/time.js'
import { bulkBar, bulkBox } from './bulk-bar.js'
import { type Admin, attempt, type StaffRequest } from './frame.js'
import { accountCell, badge, emailOf, filtersIn, nextPage, table } from './table.js'

const HERE = '/admin/sign_ups'
const PENDING = { origin: 'local', status: 'pending' } as const
const ROWS = 20

const row = (one: AdminAccount, now: number) => [
  bulkBox(one.id, `@${one.username}`),
  accountCell(one, true),
  one.invite_request
    ? html`<p class="quote">${one.invite_request}</p>`
    : html`<span class="muted">${one.invited_by_account_id ? t('Invited') : t('No reason given')}</span>`,
  html`${emailOf(one.email)} ${one.confirmed ? '' : badge(t('E-mail not confirmed'))}`,
  one.ip ? html`<a href="/admin/accounts?ip=${one.ip}">${one.ip}</a>` : html`<span class="muted">–</span>`,
  agoOf(one.created_at, now),
  html`<div class="row"><button type="submit" form="sign-ups" name="approve" value="${one.id}">${t('Approve')}</button><button class="danger" type="submit" form="sign-ups" name="reject" value="${one.id}">${t('Reject')}</button></div>`,
]

const show = async (request: StaffRequest): Promise<void> => {
  const { max_id } = filtersIn(request.req.query, ['max_id'])
  const before = idOrNull(max_id)
  const { items, older } = await request.callApi.page(listAccountsForStaff, {
    ...PENDING,
    ...(before ? { max_id: before } : {}),
    limit: ROWS,
  })
  request.show({
    title: t('Pending sign-ups'),
    current: 'sign-ups',
    body: html`<p class="muted">${t('Approved accounts receive an e-mail. Rejected sign-ups are deleted, and their name and e-mail address become free.')}</p>${table(
      t('Pending sign-ups'),
      [t('Select'), t('Account'), t('Reason'), t('E-mail address'), t('IP address'), t('Signed up'), ''],
      items.map((one) => row(one, request.now)),
      t('No sign-up is pending.'),
    )}<form id="sign-ups" method="post" action="${HERE}">${request.csrfField}</form>${bulkBar({
      csrfField: request.csrfField,
      noun: 'account',
      actions: [
        ['approve', t('Approve')],
        ['reject', t('Reject')],
      ],
      ids: items.map(({ id }) => id),
      query: PENDING,
      back: HERE,
    })}${items.length >= ROWS ? nextPage(HERE, {}, { max_id: older }) : ''}`,
  })
}

export const addSignUps = (admin: Admin): void => {
  admin.add('get', HERE, 'manage_users', show)
  admin.add('post', HERE, 'manage_users', async ({ callApi, done }, form) => {
    const approved = idOrNull(form.approve)
    const id = approved ?? idOrNull(form.reject)
    if (id === null) throw pageNotFound()
    const operation = approved === null ? rejectAccountByStaff : approveAccountByStaff
    const problem = await attempt(() => callApi(operation, { id }))
    done(HERE, problem ?? (approved === null ? t('The sign-up was rejected.') : t('The sign-up was approved.')))
  })
}
