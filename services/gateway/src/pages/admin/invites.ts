/** Invites of all users below `/admin`: list, filter and deactivate. */
import {
  accountMany,
  deactivateInvite,
  listAllInvites,
  lookupAccount,
  type StaffInvite,
} from '@murmuration/contracts/accounts'
import { msg } from '@murmuration/messages'
import { type Html, type HtmlValue, html } from '../core/html.js'
import { idIn, idOrNull } from '../core/id.js'
import { labels, t } from '../core/language.js'
import { agoOf, numberOf, timeOf } from '../core/parts/time.js'
import { type Admin, attempt, orNotFound, type StaffRequest } from './frame.js'
import { adminAccountPath, badge, field, filtersIn, nextPage, select, table } from './table.js'

const HERE = '/admin/invites'
/** Number of invites per page. One call loads the accounts of all invites on a page. */
const ROWS = 40

const STATES = [
  ['', msg('All')],
  ['true', msg('Usable')],
  ['false', msg('Ended')],
] as const

/** Id of the account with this handle; null if there is no such account. */
const accountOf = async ({ callApi }: StaffRequest, handle: string): Promise<string | null> =>
  (await orNotFound(callApi(lookupAccount, { acct: handle.replace(/^@/, '') })))?.id ?? null

const usesOf = ({ uses, max_uses }: StaffInvite): string =>
  max_uses === null ? numberOf(uses) : `${numberOf(uses)} / ${numberOf(max_uses)}`

const endOf = ({ usable, expires_at }: StaffInvite): Html => {
  if (expires_at === null)
    return usable ? html`<span class="muted">${t('Never')}</span>` : html`<span class="muted">–</span>`
  return timeOf(expires_at)
}

const rowsOf = async (request: StaffRequest, invites: readonly StaffInvite[]): Promise<(readonly HtmlValue[])[]> => {
  const ids = [...new Set(invites.map((one) => one.account_id))]
  const accounts = ids.length === 0 ? [] : await request.callApi(accountMany, { id: ids })
  const names = new Map(accounts.map(({ id, acct }) => [id, `@${acct}`]))
  return invites.map((one) => {
    const name = names.get(one.account_id) ?? one.account_id
    return [
      html`<code>${one.code}</code>${one.comment ? html`<p class="muted small">${one.comment}</p>` : ''}`,
      request.may('manage_users') ? html`<a href="${adminAccountPath(one.account_id)}">${name}</a>` : name,
      one.usable ? badge(t('Usable'), 'ok') : badge(t('Ended')),
      usesOf(one),
      endOf(one),
      agoOf(one.created_at, request.now),
      one.usable
        ? html`<button class="danger" type="submit" form="end" name="id" value="${one.id}" aria-label="${t('Deactivate the invitation {code}', { code: one.code })}">${t('Deactivate')}</button>`
        : '',
    ]
  })
}

const show = async (request: StaffRequest): Promise<void> => {
  const query = filtersIn(request.req.query, ['account', 'usable'])
  const max_id = idOrNull(filtersIn(request.req.query, ['max_id']).max_id)
  const account = query.account === undefined ? null : await accountOf(request, query.account)
  const isMissing = query.account !== undefined && account === null
  const { items, older } = isMissing
    ? { items: [], older: null }
    : await request.callApi.page(listAllInvites, {
        ...(account === null ? {} : { account_id: account }),
        ...(query.usable === 'true' || query.usable === 'false' ? { usable: query.usable } : {}),
        ...(max_id === null ? {} : { max_id }),
        limit: ROWS,
      })
  request.show({
    title: t('Invitations'),
    current: 'invites',
    body: html`<form class="card filters" method="get" action="${HERE}" role="search">${field({ name: 'account', label: t('Account'), value: query.account ?? '' })}${select({ name: 'usable', label: t('State'), value: query.usable ?? '' }, labels(STATES))}<div class="acts"><button type="submit">${t('Filter')}</button><a class="button quiet" href="${HERE}">${t('Reset')}</a></div></form>${table(
      t('Invitations'),
      [t('Invitation'), t('By'), t('State'), t('Uses'), t('Ends'), t('Created'), ''],
      await rowsOf(request, items),
      isMissing ? t('There is no account with this name.') : t('No invitation matches.'),
    )}<form id="end" method="post" action="${HERE}">${request.csrfField}</form>${items.length >= ROWS ? nextPage(HERE, query, { max_id: older }) : ''}`,
  })
}

export const addInvites = (admin: Admin): void => {
  admin.add('get', HERE, 'manage_invites', show)
  admin.add('post', HERE, 'manage_invites', async ({ callApi, done }, form) => {
    const problem = await attempt(() => callApi(deactivateInvite, { id: idIn(form.id) }))
    done(HERE, problem ?? t('The invitation was deactivated. It stays listed.'))
  })
}
