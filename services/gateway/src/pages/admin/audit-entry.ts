/** Page of one audit log entry below `/admin`: actor, action, change and undo. */
import {
  type AuditEntry,
  type AuditEntryDetail,
  browseAuditLog,
  showAuditLogEntry,
  showDomainBlock,
  UNDO_OBSTACLE_TEXTS,
  undoAuditLogEntry,
} from '@murmuration/contracts/admin'
import { isId } from '@murmuration/contracts/kit'
import { errorMessage } from '../core/error-message.js'
import { type Html, html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { t } from '../core/language.js'
import { timeOf } from '../core/parts/time.js'
import { changeTable, restoredSentence } from './audit-change.js'
import { actionLabel } from './audit-labels.js'
import { AUDIT_LOG, actorsOf, auditTable, entryPath, targetPath, undoBadges } from './audit-log.js'
import { linesOf } from './controls.js'
import { hostPath } from './federation-tabs.js'
import { type Admin, attempt, type Fields, orNotFound, type StaffRequest } from './frame.js'
import { definitionList } from './table.js'

/** Maximum number of other entries of the same bulk action that are shown. */
const ROWS = 50

/** Path of the page about the target of an entry. Null if there is no such page, for example for a domain block that was removed. */
const pathOfTarget = async (request: StaffRequest, entry: AuditEntry): Promise<string | null> => {
  const { action, target, target_id } = entry
  if (request.may('manage_federation') && target_id !== null) {
    if (action === 'retry_host' || action === 'drop_deliveries') return hostPath(target)
    if (action.endsWith('_domain_block') && isId(target_id))
      return (await orNotFound(request.callApi(showDomainBlock, { id: target_id }))) && `/admin/domains/${target_id}`
  }
  return targetPath(request, entry)
}

const summary = (entry: AuditEntry, actor: Html, path: string | null): Html =>
  html`<section class="card">${definitionList([
    [t('Time'), timeOf(entry.at)],
    [t('By'), actor],
    [t('Action'), html`${actionLabel(entry.action)} <code>${entry.action}</code>`],
    [t('Target'), path === null ? entry.target : html`<a href="${path}">${entry.target}</a>`],
    [t('Reason'), entry.reason && html`<span class="quote">${entry.reason}</span>`],
    [
      t('Undone by'),
      entry.undone_by && html`<a href="${entryPath(entry.undone_by)}">${t('The entry that undid this one')}</a>`,
    ],
    [t('Undoes'), entry.undoes && html`<a href="${entryPath(entry.undoes)}">${t('The entry that this one undid')}</a>`],
  ])}</section>`

/** Form that undoes the audit log entry, or the reason why the entry cannot be undone. */
const undoCard = ({ csrfField }: StaffRequest, entry: AuditEntryDetail, reason: string): Html => {
  if (entry.obstacle !== null)
    return html`<section class="card"><h2>${t('Undo')}</h2><p>${t('This action cannot be undone now.')}</p><p><b>${
      entry.obstacle.code === 'not_permitted'
        ? t('Your role does not allow this undo.')
        : `${errorMessage(UNDO_OBSTACLE_TEXTS[entry.obstacle.code] ?? entry.obstacle.text)}.`
    }</b></p></section>`
  return html`<section class="card"><h2>${t('Undo')}</h2><form class="edit" method="post" action="${entryPath(entry.id)}/undo">${csrfField}<div class="preview" role="note">${restoredSentence(entry)}</div>${linesOf(
    {
      name: 'reason',
      label: t('Reason (optional)'),
      value: reason,
      help: t('Only staff reads this text.'),
      max: 2_000,
    },
  )}<p class="acts"><button type="submit">${t('Undo this action')}</button></p></form></section>`
}

const batchOf = async (request: StaffRequest, { id, batch_id }: AuditEntry): Promise<Html | ''> => {
  if (batch_id === null) return ''
  const entries = await request.callApi(browseAuditLog, { batch_id, limit: ROWS })
  const others = entries.filter((one) => one.id !== id)
  return html`<h2>${t('Other entries of the same bulk action')}</h2>${await auditTable(request, others, t('There is no other entry.'))}<p><a class="button quiet small" href="${AUDIT_LOG}?batch_id=${batch_id}">${t('All entries of this bulk action')}</a></p>`
}

const reasonIn = (form: Fields): string => (typeof form.reason === 'string' ? form.reason.trim() : '')

const show = async (request: StaffRequest, form: Fields = {}, problem: string | null = null): Promise<void> => {
  const entry = await request.callApi(showAuditLogEntry, { id: idIn(request.req.params.id) })
  const [actorOf, path, batch] = await Promise.all([
    actorsOf(request, [entry]),
    pathOfTarget(request, entry),
    batchOf(request, entry),
  ])
  request.show({
    title: actionLabel(entry.action),
    heading: html`${actionLabel(entry.action)} ${undoBadges(entry)}`,
    above: html`<a href="${AUDIT_LOG}">${t('Audit log')}</a>`,
    current: 'audit-log',
    problem,
    body: html`${summary(entry, actorOf(entry), path)}<h2>${t('Change')}</h2>${changeTable(entry)}${undoCard(request, entry, reasonIn(form))}${batch}`,
  })
}

export const addAuditEntry = (admin: Admin): void => {
  const path = entryPath(':id')
  admin.add('get', path, 'view_audit_log', (request) => show(request))
  admin.add('post', `${path}/undo`, 'view_audit_log', async (request, form) => {
    const id = idIn(request.req.params.id)
    const problem = await attempt(() => request.callApi(undoAuditLogEntry, { id, reason: reasonIn(form) || null }))
    return problem ? show(request, form, problem) : request.done(entryPath(id), t('The action is undone.'))
  })
}
