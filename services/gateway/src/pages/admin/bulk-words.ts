/** Bulk actions in words: nouns, actions, states, and why items do not change. */
import { BULK_SKIP_TEXTS } from '@murmuration/contracts/admin'
import { sayProblem } from '../core/problem-words.js'
import type { Tone } from './table.js'

export const NOUN_LABELS: Readonly<Record<string, string>> = {
  account: 'Accounts',
  trend_tag: 'Hashtags',
  trend_link: 'Links',
  trend_status: 'Posts',
  domain_block: 'Blocked servers',
  audit_entry: 'Actions of staff',
}

/** Actions on states of accounts, in the order of the menu. */
export const ACCOUNT_ACTIONS = [
  ['silence', 'Limit'],
  ['sensitive', 'Hide media'],
  ['disable', 'Disable sign-in'],
  ['suspend', 'Suspend'],
  ['unsilence', 'Undo the limit'],
  ['unsensitive', 'Show media again'],
  ['enable', 'Enable sign-in'],
  ['unsuspend', 'Undo the suspension'],
] as const

const ACTION_LABELS: ReadonlyMap<string, string> = new Map<string, string>([
  ...ACCOUNT_ACTIONS,
  ['approve', 'Approve'],
  ['reject', 'Reject'],
  ['remove', 'Remove'],
  ['undo', 'Undo'],
])

export const actionName = (action: string): string => ACTION_LABELS.get(action) ?? action

/** Actions of which account holders are told, with the reason. */
export const TELLING: ReadonlySet<string> = new Set(['silence', 'sensitive', 'disable', 'suspend'])
/** Actions that take something away. */
export const GRAVE: ReadonlySet<string> = new Set(['disable', 'suspend', 'reject', 'remove'])

export const STATES: Readonly<Record<string, readonly [label: string, tone: Tone]>> = {
  planned: ['Planned', 'calm'],
  running: ['Running', 'warn'],
  done: ['Done', 'ok'],
  failed: ['Failed', 'bad'],
  stopped: ['Stopped', 'warn'],
}

/** The outcome of an item in the language of the page. */
export const outcomeText = (outcome: string): string | null =>
  Object.hasOwn(BULK_SKIP_TEXTS, outcome) ? sayProblem(BULK_SKIP_TEXTS[outcome as keyof typeof BULK_SKIP_TEXTS]) : null
