/** The list of accounts below `/admin`, with the filters of the API's second version. */
import { adminAccountList } from '@murmuration/contracts/admin'
import type { AdminAccount } from '@murmuration/contracts/entities'
import { isId } from '@murmuration/contracts/kit'
import { type Html, html } from '../core/html.js'
import { say } from '../core/language.js'
import { agoOf, numberOf } from '../core/parts/time.js'
import { bulkBar, bulkBox } from './bulk-bar.js'
import { ACCOUNT_ACTIONS } from './bulk-words.js'
import { type Admin, attempt, type StaffVisit } from './frame.js'
import { accountCell, field, filtersIn, handleOf, nextPage, select, stateBadges, table } from './table.js'

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
  ['', 'Everywhere'],
  ['local', 'This server'],
  ['remote', 'Other servers'],
] as const
const STATES = [
  ['', 'Any state'],
  ['active', 'Active'],
  ['pending', 'Pending'],
  ['silenced', 'Limited'],
  ['sensitized', 'Media hidden'],
  ['disabled', 'Sign-in disabled'],
  ['suspended', 'Suspended'],
] as const
const ROLES = [
  ['', 'Any role'],
  ['staff', 'Staff'],
] as const

const filterForm = (query: Readonly<Record<string, string>>): Html => {
  const of = (name: string): string => query[name] ?? ''
  return html`<form class="card filters" method="get" action="${HERE}" role="search">${field({ name: 'username', label: 'User name begins with', value: of('username') })}${field({ name: 'display_name', label: 'Name begins with', value: of('display_name') })}${field({ name: 'email', label: 'E-mail begins with', value: of('email') })}${field({ name: 'ip', label: 'IP address or range', value: of('ip') })}${field({ name: 'by_domain', label: 'Domain', value: of('by_domain') })}${select({ name: 'origin', label: 'Origin', value: of('origin') }, ORIGINS)}${select({ name: 'status', label: 'State', value: of('status') }, STATES)}${select({ name: 'permissions', label: 'Role', value: of('permissions') }, ROLES)}<div class="acts"><button type="submit">Search</button><a class="button quiet" href="${HERE}">Reset</a></div></form>`
}

/** Without a filter: accounts of this server, because staff rarely needs all others. */
const defaultOf = (query: Record<string, string>): Record<string, string> =>
  Object.keys(query).length === 0 ? { origin: 'local' } : query

const show = async (visit: StaffVisit): Promise<void> => {
  const { ask, now, req } = visit
  const filters = filtersIn(req.query, FILTERS)
  if (filters.invited_by && !isId(filters.invited_by)) delete filters.invited_by
  const { max_id, role_ids } = filtersIn(req.query, ['max_id', 'role_ids'])
  const query = { ...defaultOf(filters), ...(role_ids ? { role_ids: [role_ids] } : {}) }
  let found: { items: AdminAccount[]; older: string | null } = { items: [], older: null }
  const problem = await attempt(async () => {
    const page = max_id && isId(max_id) ? { max_id } : {}
    found = await ask.page(adminAccountList, {
      ...query,
      ...page,
      limit: ROWS,
    })
  })
  visit.show({
    title: 'Accounts',
    current: 'accounts',
    problem,
    body: html`${filterForm(defaultOf(filters))}${table(
      'Accounts',
      ['Select', 'Account', 'State', 'Role', 'E-mail address', 'Last IP address', 'Posts', 'Joined'],
      found.items.map((one) => [
        bulkBox(one.id, handleOf(one)),
        accountCell(one, true),
        stateBadges(one),
        one.role?.name || html`<span class="soft">–</span>`,
        one.email ? html`<span class="long">${one.email}</span>` : html`<span class="soft">–</span>`,
        one.ip ? html`<a href="${HERE}?ip=${one.ip}">${one.ip}</a>` : html`<span class="soft">–</span>`,
        numberOf(one.account.statuses_count),
        agoOf(one.created_at, now),
      ]),
      say('No account matches.'),
    )}${bulkBar({
      proof: visit.proof,
      noun: 'account',
      actions: ACCOUNT_ACTIONS,
      ids: found.items.map(({ id }) => id),
      query,
      back: req.originalUrl,
    })}${found.items.length >= ROWS ? nextPage(HERE, { ...filters, ...(role_ids ? { role_ids } : {}) }, { max_id: found.older }) : ''}`,
  })
}

export const addAccounts = (admin: Admin): void => admin.add('get', HERE, 'manage_users', show)
