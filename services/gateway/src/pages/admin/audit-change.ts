/** The change of an audit log entry as a table, and a sentence that describes the result of its undo. */
import { isDeepStrictEqual } from 'node:util'
import type { AuditEntry } from '@murmuration/contracts/admin'
import { type Message, msg } from '@murmuration/messages'
import { type Html, html } from '../core/html.js'
import { labelOf, t } from '../core/language.js'
import { timeOf } from '../core/parts/time.js'
import { fieldLabel } from './audit-labels.js'
import { table } from './table.js'

/** Fields of an audit log entry that the table omits, because only undo and API clients use them. */
const INTERNAL = new Set([
  ...[
    'id',
    'target_id',
    'account_id',
    'picture_id',
    'strike_id',
    'appeal_id',
    'token_id',
    'digest',
    'decision',
    'permissions',
  ],
  ...['silenced_by', 'suspended_by', 'created_at', 'updated_at'],
])
/** Matches names of fields whose values are never shown. */
const SECRET = /secret|password|token|private_key|otp|hash/i
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
const SEVERITIES: Readonly<Record<string, Message>> = {
  noop: msg('No restriction of accounts'),
  silence: msg('Limit'),
  suspend: msg('Suspend'),
  no_access: msg('No access'),
  sign_up_block: msg('No sign-ups'),
  sign_up_requires_approval: msg('Sign-ups need approval'),
}

type Fields = Readonly<Record<string, unknown>>

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined

/** Fields of the state before or after an action. A state that is not an object becomes the field `value`. */
const fieldsOf = (state: unknown): Fields => {
  if (isAbsent(state)) return {}
  return typeof state === 'object' && !Array.isArray(state) ? (state as Fields) : { value: state }
}

/** Names of the fields that an action changed, in the order of the audit log entry. */
const changedFields = (before: Fields, after: Fields): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !INTERNAL.has(name) && !isDeepStrictEqual(before[name] ?? null, after[name] ?? null),
  )

const textOf = (name: string, value: string): Html => {
  if (TIME.test(value)) return timeOf(value)
  return html`<span class="quote">${name === 'severity' ? labelOf(SEVERITIES, value) : value}</span>`
}

const shownValue = (name: string, value: unknown): Html => {
  if (isAbsent(value) || value === '' || isDeepStrictEqual(value, {})) return html`<span class="muted">–</span>`
  if (SECRET.test(name)) return html`<span class="muted">${t('Not shown')}</span>`
  if (typeof value === 'boolean') return html`${t(value ? 'Yes' : 'No')}`
  if (typeof value === 'string') return textOf(name, value)
  if (typeof value === 'number') return html`${value}`
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number'))
    return html`<span class="long">${value.join(', ') || '–'}</span>`
  return html`<pre class="data">${JSON.stringify(value, null, 1)}</pre>`
}

/** Table of the fields that an action changed, with their values before and after. */
export const changeTable = (entry: AuditEntry): Html => {
  const [before, after] = [fieldsOf(entry.before), fieldsOf(entry.after)]
  return table(
    t('Change'),
    [t('Field'), t('Before'), t('After')],
    changedFields(before, after).map((name) => {
      const label = fieldLabel(name)
      return [
        label === null ? html`<code>${name}</code>` : html`<b>${label}</b>`,
        shownValue(name, before[name]),
        shownValue(name, after[name]),
      ]
    }),
    t('This entry records no change of a field.'),
  )
}

const STATES: Readonly<Record<string, readonly [field: string, on: Message, off: Message]>> = {
  user: ['disabled', msg('Sign-in is now disabled.'), msg('The account holder can sign in again.')],
  sensitive: [
    'sensitized',
    msg('Media of the account are now hidden.'),
    msg('Media of the account are no longer hidden.'),
  ],
  silence: ['silenced', msg('The account is now limited.'), msg('The account is no longer limited.')],
  suspend: ['suspended', msg('The account is now suspended.'), msg('The account is no longer suspended.')],
}

/** Sentence about the account's state after an undo; null for other actions, and if the state does not change. */
const accountSentence = ({ action, before, after }: AuditEntry): string | null => {
  const [, login, state] = /^(?:(?:en|dis)able_(user)|(?:un)?(sensitive|silence|suspend)_account)$/.exec(action) ?? []
  const [field, on, off] = STATES[login ?? state ?? ''] ?? []
  if (!field || !on || !off) return null
  const [was, is] = [fieldsOf(before)[field], fieldsOf(after)[field]]
  return was === is ? null : t(was ? on : off)
}

const RESTRICTION = /^(?:disable_user|(?:sensitive|silence|suspend)_account)$/

/** Sentence about the reports that the action resolved; null for actions that resolve none. */
const reportSentence = ({ action, after }: AuditEntry): string | null => {
  if (RESTRICTION.test(action)) return t('Reports that this action resolved are then open again.')
  const isMark = action === 'update_status' && fieldsOf(after).sensitive === true
  return isMark ? t('The report is open again once no post has the mark of this decision.') : null
}

/** Sentences that describe the result of an entry's undo. */
export const restoredSentence = (entry: AuditEntry): Html => {
  const reports = reportSentence(entry)
  return html`${stateSentence(entry)}${reports === null ? '' : html`<p>${reports}</p>`}`
}

const stateSentence = (entry: AuditEntry): Html => {
  const sentence = accountSentence(entry)
  if (sentence !== null) return html`<p>${t('After the undo: {sentence}', { sentence: html`<b>${sentence}</b>` })}</p>`
  const isSetting = entry.action === 'update_setting'
  if (isAbsent(entry.before) && isSetting) return html`<p>${t('The undo resets the setting to its default.')}</p>`
  if (isAbsent(entry.before) && !isAbsent(entry.after))
    return html`<p>${t('The undo removes what this action added.')}</p>`
  if (isAbsent(entry.after) && !isAbsent(entry.before) && !isSetting)
    return html`<p>${t('The undo restores what this action removed.')}</p>`
  return html`<p>${t('The undo restores the values before this action. Later changes of other fields stay.')}</p>`
}
