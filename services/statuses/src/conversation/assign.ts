/** Assigns direct statuses to conversations, and notifies the accounts whose conversations changed. */
import { type AccountRelationship, accountRecords, listRelationshipsToAuthor } from '@murmuration/contracts/accounts'
import { olderNames } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { publishToEach } from '../core/live/publish.js'
import { lockIfNotDeleted, rowsOf, type StatusRow } from '../core/status/store.js'
import { conversationsOf } from './rules.js'
import { assignStatus, type Changed, ownersWithStatus, type Wanted } from './store.js'

const DIRECT = 3

/**
 * Whether an account gets no conversation with an author: one blocks the other, or the account blocks the author's
 * domain, or mutes the author with notifications. Another mute only concerns timelines.
 */
const isRefused = (relationship: AccountRelationship | undefined): boolean =>
  relationship !== undefined &&
  (relationship.blocking ||
    relationship.blocked_by ||
    relationship.domain_blocking ||
    (relationship.muting && relationship.muting_notifications))

/** Ids of the author and of the mentioned accounts that are local, active and do not refuse the author. */
const ownersOf = async (ctx: Context, author: string, named: readonly string[]): Promise<Set<string>> => {
  const participants = [...new Set([author, ...named])]
  const [{ records }, { [olderNames.relationships]: relationships }] = await Promise.all([
    ctx.call(accountRecords, { ids: participants }),
    named.length === 0
      ? { [olderNames.relationships]: {} as Record<string, AccountRelationship> }
      : ctx.call(listRelationshipsToAuthor, { author, viewers: [...named] }),
  ])
  const local = records.filter((one) => one.domain === null && one.usable && !one.suspended)
  return new Set(local.map((one) => one.id).filter((id) => id === author || !isRefused(relationships[id])))
}

const wantedFor = async (ctx: Context, row: StatusRow | undefined): Promise<Wanted[]> => {
  if (row?.deleted_at !== null || row.visibility !== DIRECT || row.reblog_of_id !== null) return []
  const mentions = row.mentions.filter((one) => !one.silent).map((one) => one.id)
  const owners = await ownersOf(
    ctx,
    row.author_id,
    mentions.filter((id) => id !== row.author_id),
  )
  return conversationsOf({ author: row.author_id, mentions }, owners).map((one) => ({ id: ctx.ids.next(), ...one }))
}

/** Sends each changed conversation to the stream of its account. */
export const publishConversations = (ctx: Context, changed: readonly Changed[]): Promise<void> =>
  publishToEach(
    ctx,
    changed.map((one) => [one.account_id, { e: 'conversation', id: one.id }]),
  )

/**
 * Assigns a status to conversations by its current state: new, edited with other mentions, or deleted. `added`: accounts
 * that an edit mentions newly. An edit adds the status for them, and for accounts that have it in a conversation. A
 * deleted conversation stays hidden until the next status.
 */
export const assignConversations = async (ctx: Context, id: string, added?: readonly string[]): Promise<void> => {
  const row = (await rowsOf(ctx.db, [id])).get(id)
  const wanted = await wantedFor(ctx, row)
  const changed = await ctx.db.tx(async (tx) => {
    // The status may have been deleted since it was read. The job of the deletion then removes the status from all
    // conversations.
    const alive = wanted.length > 0 && (await lockIfNotDeleted(tx, id))
    const holders = added === undefined ? null : new Set([...added, ...(await ownersWithStatus(tx, id))])
    const assigned = alive ? wanted.filter((one) => holders === null || holders.has(one.owner)) : []
    return assignStatus(tx, { id, thread: row?.conversation_id ?? '0' }, assigned)
  })
  await publishConversations(ctx, changed)
}
