/** List of accounts below `/admin`, with the filters of `/api/v2/admin/accounts`. */
import { listAccountsForStaff } from '@murmuration/contracts/admin'
import type { AdminAccount } from '@murmuration/contracts/entities'
import { isId } from '@murmuration/contracts/kit'
import { msg } from '@murmuration/messages'
import { type Html, html } from '../core/html.js'
import { labels, t } from '../core/language.js'
import { agoOf, numberOf } from '../core/parts/time.js'
import { bulkBar, bulkBox } from './bulk-bar.js'
import { ACCOUNT_ACTIONS } from './bulk-labels.js'
import { type Admin, attempt, type StaffRequest } from './frame.js'
import { accountCell, emailOf, field, filtersIn, handleOf, nextPage, select, stateBadges, table } from './table.js'

const HERE = '/admin/accounts'
const ROWS = 40
const FILTERS = [
  'origin',
  'status',
  'permissions',
  'username',
  'display_name',
  'by_domain',
  'email',
  'ip',
  'invited_by',
]

const ORIGINS = [
  ['', msg('Everywhere')],
  ['local', msg('This server')],
  ['remote', msg('Other servers')],
] as const
const STATES = [
  ['', msg('Any state')],
  ['active', msg('Active')],
  ['pending', msg('Pending')],
  ['silenced', msg('Limited')],
  ['sensitized', msg('Media hidden')],
  ['disabled', msg('Sign-in disabled')],
  ['suspended', msg('Suspended')],
] as const
const ROLES = [
  ['', msg('Any role')],
  ['staff', msg('Staff')],
] as const

const filterForm = (query: Readonly<Record<string, string>>): Html => {
  const of = (name: string): string => query[name] ?? ''
  return html`<form class="card filters" method="get" action="${HERE}" role="search">${field({ name: 'username', label: t('User name begins with'), value: of('username') })}${field({ name: 'display_name', label: t('Name begins with'), value: of('display_name') })}${field({ name: 'email', label: t('E-mail begins with'), value: of('email') })}${field({ name: 'ip', label: t('IP address or range'), value: of('ip') })}${field({ name: 'by_domain', label: t('Domain'), value: of('by_domain') })}${select({ name: 'origin', label: t('Origin'), value: of('origin') }, labels(ORIGINS))}${select({ name: 'status', label: t('State'), value: of('status') }, labels(STATES))}${select({ name: 'permissions', label: t('Role'), value: of('permissions') }, labels(ROLES))}<div class="acts"><button type="submit">${t('Search')}</button><a class="button quiet" href="${HERE}">${t('Reset')}</a></div></form>`
}

/** Default filter: local accounts, because staff rarely needs remote ones. */
const defaultOf = (query: Record<string, string>): Record<string, string> =>
  Object.keys(query).length === 0 ? { origin: 'local' } : query

const show = async (request: StaffRequest): Promise<void> => {
  const { callApi, now, req } = request
  const filters = filtersIn(req.query, FILTERS)
  if (filters.invited_by && !isId(filters.invited_by)) delete filters.invited_by
  const { max_id, role_ids } = filtersIn(req.query, ['max_id', 'role_ids'])
  const query = { ...defaultOf(filters), ...(role_ids ? { role_ids: [role_ids] } : {}) }
  let found: { items: AdminAccount[]; older: string | null } = { items: [], older: null }
  const problem = await attempt(async () => {
    const page = max_id && isId(max_id) ? { max_id } : {}
    found = await callApi.page(listAccountsForStaff, {
      ...query,
      ...page,
      limit: ROWS,
    })
  })
  request.show({
    title: t('Accounts'),
    current: 'accounts',
    problem,
    body: html`${filterForm(defaultOf(filters))}${table(
      t('Accounts'),
      [
        t('Select'),
        t('Account'),
        t('State'),
        t('Role'),
        t('E-mail address'),
        t('Last IP address'),
        t('Posts'),
        t('Joined'),
      ],
      found.items.map((one) => [
        bulkBox(one.id, handleOf(one)),
        accountCell(one, true),
        stateBadges(one),
        one.role?.name || html`<span class="muted">–</span>`,
        one.email ? html`<span class="long">${emailOf(one.email)}</span>` : html`<span class="muted">–</span>`,
        one.ip ? html`<a href="${HERE}?ip=${one.ip}">${one.ip}</a>` : html`<span class="muted">–</span>`,
        numberOf(one.account.statuses_count),
        agoOf(one.created_at, now),
      ]),
      t('No account matches.'),
    )}${bulkBar({
      csrfField: request.csrfField,
      noun: 'account',
      actions: labels(ACCOUNT_ACTIONS),
      ids: found.items.map(({ id }) => id),
      query,
      back: req.originalUrl,
    })}${found.items.length >= ROWS ? nextPage(HERE, { ...filters, ...(role_ids ? { role_ids } : {}) }, { max_id: found.older }) : ''}`,
  })
}

export const addAccounts = (admin: Admin): void => admin.add('get', HERE, 'manage_users', show)
