/** Labels of bulk actions: nouns, actions, states, and reasons why items do not change. */
import { BULK_SKIP_TEXTS } from '@murmuration/contracts/admin'
import { type Message, msg } from '@murmuration/messages'
import { errorMessage } from '../core/error-message.js'
import { labelOf, t } from '../core/language.js'
import type { Tone } from './table.js'

const NOUN_LABELS: Readonly<Record<string, Message>> = {
  account: msg('Accounts'),
  trend_tag: msg('Hashtags'),
  trend_link: msg('Links'),
  trend_status: msg('Posts'),
  domain_block: msg('Blocked servers'),
  audit_entry: msg('Actions of staff'),
}

/** Bulk actions on accounts, in the order of the menu. */
export const ACCOUNT_ACTIONS = [
  ['silence', msg('Limit')],
  ['sensitive', msg('Hide media')],
  ['disable', msg('Disable sign-in')],
  ['suspend', msg('Suspend')],
  ['unsilence', msg('Undo the limit')],
  ['unsensitive', msg('Show media again')],
  ['enable', msg('Enable sign-in')],
  ['unsuspend', msg('Undo the suspension')],
] as const

const ACTION_LABELS: ReadonlyMap<string, Message> = new Map<string, Message>([
  ...ACCOUNT_ACTIONS,
  ['approve', msg('Approve')],
  ['reject', msg('Reject')],
  ['remove', msg('Remove')],
  ['undo', msg('Undo')],
])

/** Label of a bulk action; the name of the action if it has no label. */
export const actionName = (action: string): string => {
  const label = ACTION_LABELS.get(action)
  return label === undefined ? action : t(label)
}

/** Label of a kind of items; the name of the kind if it has no label. */
export const nounName = (noun: string): string => labelOf(NOUN_LABELS, noun)

/** Bulk actions about which account holders are notified, with the reason that staff entered. */
export const NOTIFYING: ReadonlySet<string> = new Set(['silence', 'sensitive', 'disable', 'suspend'])
/** Bulk actions whose button has a warning colour, because they remove something. */
export const DANGEROUS: ReadonlySet<string> = new Set(['disable', 'suspend', 'reject', 'remove'])

export const STATES: Readonly<Record<string, readonly [label: Message, tone: Tone]>> = {
  planned: [msg('Planned'), 'neutral'],
  running: [msg('Running'), 'warn'],
  done: [msg('Done'), 'ok'],
  failed: [msg('Failed'), 'bad'],
  stopped: [msg('Stopped'), 'warn'],
}

/** Text about why a bulk action does not change an item, in the language of the page. Null for all other outcomes. */
export const outcomeText = (outcome: string): string | null =>
  Object.hasOwn(BULK_SKIP_TEXTS, outcome)
    ? errorMessage(BULK_SKIP_TEXTS[outcome as keyof typeof BULK_SKIP_TEXTS])
    : null
