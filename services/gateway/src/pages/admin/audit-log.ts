/** The audit log below `/admin`: what staff and operators did, with filters. */
import { accountMany } from '@murmuration/contracts/accounts'
import { type AuditEntry, auditLogBrowse } from '@murmuration/contracts/admin'
import { isId } from '@murmuration/contracts/kit'
import { type Html, html } from '../html.js'
import { timeOf } from '../parts/time.js'
import type { Admin, StaffVisit } from './frame.js'
import { adminAccountPath, field, filtersIn, nextPage, table } from './table.js'

const HERE = '/admin/audit_log'
const ROWS = 50

/** The state before and after, as JSON; nothing if the action says it all. */
const change = ({ before, after }: AuditEntry): Html | '' => {
  const parts = [before, after].filter((one) => one !== null && one !== undefined)
  return parts.length === 0
    ? ''
    : html`<details><summary>Details</summary>${
        before === null || before === undefined
          ? ''
          : html`<p class="soft small">Before</p><pre class="data">${JSON.stringify(before, null, 1)}</pre>`
      }${
        after === null || after === undefined
          ? ''
          : html`<p class="soft small">After</p><pre class="data">${JSON.stringify(after, null, 1)}</pre>`
      }</details>`
}

/** Entries as rows. Reads the names of all actors with one request. */
export const auditTable = async (
  { ask, may }: Pick<StaffVisit, 'ask' | 'may'>,
  entries: readonly AuditEntry[],
  empty: string,
): Promise<Html> => {
  const actors = [...new Set(entries.flatMap(({ actor }) => (actor === null ? [] : [actor])))]
  const found = actors.length === 0 ? [] : await ask(accountMany, { id: actors })
  const names = new Map(found.map(({ id, acct }) => [id, `@${acct}`]))
  return table(
    'Audit log',
    ['Time', 'By', 'Action', 'Target', 'Change'],
    entries.map((one) => [
      timeOf(one.at),
      one.actor === null
        ? html`<span class="soft">Operator</span>`
        : may('manage_users')
          ? html`<a href="${adminAccountPath(one.actor)}">${names.get(one.actor) ?? one.actor}</a>`
          : (names.get(one.actor) ?? one.actor),
      html`<a href="${HERE}?action=${one.action}"><code>${one.action}</code></a>`,
      html`<span class="long">${one.target}</span>`,
      change(one),
    ]),
    empty,
  )
}

const show = async (visit: StaffVisit): Promise<void> => {
  const query = filtersIn(visit.req.query, ['actor_id', 'action', 'target_id', 'batch_id'])
  if (query.actor_id && !isId(query.actor_id)) delete query.actor_id
  if (query.batch_id && !isId(query.batch_id)) delete query.batch_id
  const { max_id } = filtersIn(visit.req.query, ['max_id'])
  const { items, older } = await visit.ask.page(auditLogBrowse, {
    ...query,
    ...(max_id && isId(max_id) ? { max_id } : {}),
    limit: ROWS,
  })
  visit.show({
    title: 'Audit log',
    current: 'audit-log',
    body: html`<form class="card filters" method="get" action="${HERE}" role="search">${field({ name: 'action', label: 'Action', value: query.action ?? '' })}${field({ name: 'actor_id', label: 'Account id of the actor', value: query.actor_id ?? '' })}${field({ name: 'target_id', label: 'Id of the target', value: query.target_id ?? '' })}<div class="acts"><button type="submit">Filter</button><a class="button quiet" href="${HERE}">Reset</a></div></form>${await auditTable(visit, items, 'No entry matches.')}${
      items.length >= ROWS ? nextPage(HERE, query, { max_id: older }) : ''
    }`,
  })
}

export const addAuditLog = (admin: Admin): void => admin.add('get', HERE, 'view_audit_log', show)
