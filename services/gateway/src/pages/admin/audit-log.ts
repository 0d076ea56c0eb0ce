/** Audit log below `/admin`: actions of staff and operators, with filters. */
import { accountMany } from '@murmuration/contracts/accounts'
import { type AuditEntry, browseAuditLog } from '@murmuration/contracts/admin'
import { isId } from '@murmuration/contracts/kit'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { timeOf } from '../core/parts/time.js'
import { actionLabel } from './audit-labels.js'
import type { Admin, StaffRequest } from './frame.js'
import { reportPath } from './report-queue.js'
import { adminAccountPath, badge, field, filtersIn, nextPage, table } from './table.js'

export const AUDIT_LOG = '/admin/audit_log'
const ROWS = 50

/** Path of the page of one audit log entry. */
export const entryPath = (id: string): string => `${AUDIT_LOG}/${id}`

/** Path of the page about the target of an entry. Null if the viewer may see no such page. */
export const targetPath = ({ may }: Pick<StaffRequest, 'may'>, { action, target_id }: AuditEntry): string | null => {
  if (target_id === null || !isId(target_id)) return null
  if (/_(?:account|user|appeal|account_warning)$/.test(action))
    return may('manage_users') ? adminAccountPath(target_id) : null
  return action.endsWith('_report') && may('manage_reports') ? reportPath(target_id) : null
}

/**
 * Returns a function that renders the actor of an entry, as a link if the viewer may manage users. One call loads the
 * accounts of all actors.
 */
export const actorsOf = async (
  { callApi, may }: Pick<StaffRequest, 'callApi' | 'may'>,
  entries: readonly AuditEntry[],
): Promise<(entry: AuditEntry) => Html> => {
  const actors = [...new Set(entries.flatMap(({ actor }) => (actor === null ? [] : [actor])))]
  const found = actors.length === 0 ? [] : await callApi(accountMany, { id: actors })
  const names = new Map(found.map(({ id, acct }) => [id, `@${acct}`]))
  return ({ actor }) => {
    if (actor === null) return html`<span class="muted">${t('Operator')}</span>`
    const name = names.get(actor) ?? actor
    return may('manage_users') ? html`<a href="${adminAccountPath(actor)}">${name}</a>` : html`${name}`
  }
}

/** Badges for an audit log entry that was undone, or that is an undo. */
export const undoBadges = ({ undoes, undone_by }: AuditEntry): Html =>
  html`${undone_by === null ? '' : badge(t('Undone'), 'warn')}${undoes === null ? '' : badge(t('Undo'))}`

/** Audit log entries as table rows, each with a link to its page. */
export const auditTable = async (
  request: Pick<StaffRequest, 'callApi' | 'may'>,
  entries: readonly AuditEntry[],
  empty: string,
): Promise<Html> => {
  const actorOf = await actorsOf(request, entries)
  return table(
    t('Audit log'),
    [t('Time'), t('By'), t('Action'), t('Target')],
    entries.map((one) => {
      const path = targetPath(request, one)
      return [
        timeOf(one.at),
        actorOf(one),
        html`<a href="${entryPath(one.id)}"><b>${actionLabel(one.action)}</b></a> ${undoBadges(one)}<p class="small"><a href="${AUDIT_LOG}?action=${one.action}"><code>${one.action}</code></a></p>`,
        html`<span class="long">${path === null ? one.target : html`<a href="${path}">${one.target}</a>`}</span>`,
      ]
    }),
    empty,
  )
}

const show = async (request: StaffRequest): Promise<void> => {
  const query = filtersIn(request.req.query, ['actor_id', 'action', 'target_id', 'batch_id'])
  if (query.actor_id && !isId(query.actor_id)) delete query.actor_id
  if (query.batch_id && !isId(query.batch_id)) delete query.batch_id
  const { max_id } = filtersIn(request.req.query, ['max_id'])
  const { items, older } = await request.callApi.page(browseAuditLog, {
    ...query,
    ...(max_id && isId(max_id) ? { max_id } : {}),
    limit: ROWS,
  })
  request.show({
    title: t('Audit log'),
    current: 'audit-log',
    body: html`<form class="card filters" method="get" action="${AUDIT_LOG}" role="search">${field({ name: 'action', label: t('Action'), value: query.action ?? '' })}${field({ name: 'actor_id', label: t('Account id of the actor'), value: query.actor_id ?? '' })}${field({ name: 'target_id', label: t('Id of the target'), value: query.target_id ?? '' })}<div class="acts"><button type="submit">${t('Filter')}</button><a class="button quiet" href="${AUDIT_LOG}">${t('Reset')}</a></div></form>${await auditTable(request, items, t('No entry matches.'))}${
      items.length >= ROWS ? nextPage(AUDIT_LOG, query, { max_id: older }) : ''
    }`,
  })
}

export const addAuditLog = (admin: Admin): void => admin.add('get', AUDIT_LOG, 'view_audit_log', show)
