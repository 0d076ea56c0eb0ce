/** Strikes below `/admin`: decisions of staff about all accounts or one account. */
import { listStrikes } from '@murmuration/contracts/admin'
import type { AdminStrike, WarningAction } from '@murmuration/contracts/entities'
import { isId } from '@murmuration/contracts/kit'
import { type Message, msg } from '@murmuration/messages'
import { excerpt } from '@murmuration/text'
import { type Html, html } from '../core/html.js'
import { labelOf, t } from '../core/language.js'
import { agoOf } from '../core/parts/time.js'
import type { Admin, StaffRequest } from './frame.js'
import { accountCell, badge, filtersIn, handleOf, nextPage, table } from './table.js'

const HERE = '/admin/strikes'
const ROWS = 25

/** Path of the page with the strikes of one account. */
export const strikesPath = (account: string): string => `${HERE}?account_id=${account}`

export const ACTION_LABELS: Readonly<Record<WarningAction, Message>> = {
  none: msg('Warning'),
  disable: msg('Sign-in disabled'),
  mark_statuses_as_sensitive: msg('Posts marked as sensitive'),
  delete_statuses: msg('Posts deleted'),
  sensitive: msg('Media marked as sensitive'),
  silence: msg('Account limited'),
  suspend: msg('Account suspended'),
}

const stateOf = ({ overruled_at, appeal }: AdminStrike, mayDecide: boolean): Html | '' => {
  if (overruled_at !== null) return badge(t('Overruled'), 'ok')
  if (appeal?.state === 'rejected') return badge(t('Appeal rejected'))
  if (appeal?.state !== 'pending') return ''
  const pending = badge(t('Appeal pending'), 'warn')
  return mayDecide ? html`<a href="/admin/appeals/${appeal.id}">${pending}</a>` : pending
}

/** Table of strikes with their decisions and appeals. */
export const strikeTable = (
  { may, now }: Pick<StaffRequest, 'may' | 'now'>,
  strikes: readonly AdminStrike[],
  empty: string,
): Html =>
  table(
    t('Decisions'),
    [t('Decision'), t('Account'), t('Text'), t('Decided by'), t('Age')],
    strikes.map((one) => [
      html`<b>${labelOf(ACTION_LABELS, one.action)}</b> ${stateOf(one, may('manage_appeals'))}`,
      accountCell(one.target_account, may('manage_users')),
      html`<p class="quote">${excerpt(one.text, 160)}</p>`,
      one.account ? handleOf(one.account) : html`<span class="muted">–</span>`,
      agoOf(one.created_at, now),
    ]),
    empty,
  )

const show = async (request: StaffRequest): Promise<void> => {
  const { account_id, max_id } = filtersIn(request.req.query, ['account_id', 'max_id'])
  const account: Record<string, string> = account_id && isId(account_id) ? { account_id } : {}
  const { items, older } = await request.callApi.page(listStrikes, {
    ...account,
    ...(max_id && isId(max_id) ? { max_id } : {}),
    limit: ROWS,
  })
  const about = account_id ? items[0]?.target_account : undefined
  request.show({
    title: t('Decisions'),
    current: 'accounts',
    above: html`<a href="/admin/accounts">${t('Accounts')}</a>${about ? html` · ${handleOf(about)}` : ''}`,
    body: html`${strikeTable(request, items, t('Staff made no decision yet.'))}${
      items.length >= ROWS ? nextPage(HERE, account, { max_id: older }) : ''
    }`,
  })
}

export const addStrikesOfAccounts = (admin: Admin): void => admin.add('get', HERE, 'manage_users', show)
