/** Evaluates notification candidates: loads the data of all recipients in batches and applies the rules to each recipient. */

import {
  type AccountRecord,
  type AccountRelationship,
  accountRecords,
  listRelationshipsToAuthor,
  refusals,
} from '@murmuration/contracts/accounts'
import { olderNames } from '@murmuration/contracts/kit'
import { threadStates } from '@murmuration/contracts/statuses'
import { readTime } from '@murmuration/text'
import type { Context } from '../context.js'
import { DEFAULT_POLICY, type DecisionInput, decide, type Policy } from '../core/decision.rules.js'
import { policiesOf, recipientsPermitting } from '../core/policy.store.js'
import { isFromStaff } from '../core/staff.rules.js'
import { mayBeOneself } from '../core/type.rules.js'
import type { Candidate } from './candidate.js'

type Tools = Pick<Context, 'call' | 'db' | 'clock'>

export interface Evaluated {
  candidate: Candidate
  /** Recipients to notify. `staff`: the notification is a mention by a moderator, which blocks do not prevent. */
  notified: { recipient: string; filtered: boolean; staff: boolean }[]
}

/** Data about one sender and all local recipients. Maps and records have account ids as keys, `threads` has status ids. */
interface Loaded {
  sender: AccountRecord
  records: ReadonlyMap<string, AccountRecord>
  relationships: Readonly<Record<string, AccountRelationship>>
  refused: Readonly<Record<string, readonly string[]>>
  threads: ReadonlyMap<string, { muted: ReadonlySet<string>; wrote: ReadonlySet<string> }>
  policies: ReadonlyMap<string, Policy>
  permitted: ReadonlySet<string>
}

const unique = (ids: Iterable<string>): string[] => [...new Set(ids)]

/**
 * Accounts that mentions name or reply to, except the sender. If a recipient blocks such an account, the recipient gets
 * no notification of that mention.
 */
const participantsOf = (from: string, candidates: readonly Candidate[]): string[] =>
  unique(candidates.flatMap((one) => (one.type === 'mention' ? (one.participants ?? []) : []))).filter(
    (id) => id !== from,
  )

/** For each status: viewers who muted its thread, and viewers who sent its author a direct status earlier in the thread. */
const threadsOf = async (
  ctx: Tools,
  from: string,
  candidates: readonly Candidate[],
  viewers: string[],
): Promise<Loaded['threads']> => {
  const statuses = unique(candidates.flatMap((one) => (one.status === null ? [] : [one.status])))
  const found = await Promise.all(statuses.map((status) => ctx.call(threadStates, { status, sender: from, viewers })))
  return new Map(statuses.map((id, i) => [id, { muted: new Set(found[i]?.muted), wrote: new Set(found[i]?.wrote) }]))
}

/** Loads the data about a sender and all local recipients. Null if the sender is unknown or no recipient is local. */
const load = async (ctx: Tools, from: string, candidates: readonly Candidate[]): Promise<Loaded | null> => {
  const recipients = unique(candidates.flatMap((one) => one.recipients))
  const { records: found } = await ctx.call(accountRecords, { ids: unique([from, ...recipients]) })
  const records = new Map(found.map((one) => [one.id, one]))
  const sender = records.get(from)
  const locals = recipients.filter((id) => records.get(id)?.domain === null)
  if (!sender || locals.length === 0) return null
  const participants = participantsOf(from, candidates)
  const [{ [olderNames.relationships]: relationships }, { refused }, threads, policies, permitted] = await Promise.all([
    ctx.call(listRelationshipsToAuthor, { author: from, viewers: locals }),
    // If the only participant of a mention is its only recipient, blocks are not loaded, because recipients do not block themselves.
    participants.length > 0 && (locals.length > 1 || participants.some((id) => id !== locals[0]))
      ? ctx.call(refusals, { viewers: locals, authors: participants })
      : { refused: {} },
    threadsOf(ctx, from, candidates, locals),
    policiesOf(ctx.db, locals),
    recipientsPermitting(ctx.db, locals, from),
  ])
  return { sender, records, relationships, refused, threads, policies, permitted }
}

/** The input of the decision about one recipient; null if it could not be loaded. */
const decisionInputOf = (loaded: Loaded, candidate: Candidate, id: string, now: number): DecisionInput | null => {
  const { sender } = loaded
  const recipient = loaded.records.get(id)
  const relationship = loaded.relationships[id]
  const isSender = id === sender.id
  // If the recipient or its relationship to the sender could not be loaded, the recipient is not notified.
  if (!recipient || (!relationship && !isSender)) return null
  const thread = candidate.status === null ? undefined : loaded.threads.get(candidate.status)
  const followedSince = relationship?.followed_by_since ?? null
  return {
    type: candidate.type,
    now,
    recipient: { local: recipient.domain === null, suspended: recipient.suspended },
    isSender,
    sender: {
      suspended: sender.suspended,
      limited: sender.silenced,
      bot: sender.bot,
      createdAt: readTime(sender.created_at),
    },
    following: relationship?.following ?? false,
    followedSince: followedSince === null ? null : readTime(followedSince),
    blocking: relationship?.blocking ?? false,
    mutingNotifications: relationship?.muting_notifications ?? false,
    domainBlocking: relationship?.domain_blocking ?? false,
    threadMuted: thread?.muted.has(id) ?? false,
    refusesParticipant: (loaded.refused[id] ?? []).some((other) => candidate.participants?.includes(other)),
    direct: candidate.direct ?? false,
    wroteInThread: thread?.wrote.has(id) ?? false,
    staff: isFromStaff(sender.role, recipient.role),
    permitted: loaded.permitted.has(id),
    policy: loaded.policies.get(id) ?? DEFAULT_POLICY,
  }
}

/**
 * Returns the recipients to notify for each candidate, and the domain of the sender (null if local).
 * All candidates have the same sender `from`. Candidates without a recipient are left out.
 */
export const evaluate = async (
  ctx: Tools,
  from: string,
  candidates: readonly Candidate[],
): Promise<{ domain: string | null; evaluated: Evaluated[] }> => {
  const others = candidates.map((one) => ({
    ...one,
    recipients: unique(one.recipients).filter((id) => id !== from || mayBeOneself(one.type)),
  }))
  const loaded = others.some((one) => one.recipients.length) ? await load(ctx, from, others) : null
  if (!loaded) return { domain: null, evaluated: [] }
  const now = ctx.clock.now()
  const evaluated = others.map((one) => ({
    candidate: one,
    notified: one.recipients.flatMap((recipient) => {
      const input = decisionInputOf(loaded, one, recipient, now)
      const decision = input === null ? 'drop' : decide(input)
      if (input === null || decision === 'drop') return []
      return [{ recipient, filtered: decision === 'filter', staff: input.staff && one.type === 'mention' }]
    }),
  }))
  return { domain: loaded.sender.domain, evaluated: evaluated.filter((one) => one.notified.length > 0) }
}
