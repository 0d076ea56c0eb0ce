/** Direct conversations as a whole: where a status belongs now, and telling those whose conversation changed. */
import { accountRecords, feedStandings } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import { publishToEach } from '../core/live/publish.js'
import { holdAlive, rowsOf, type StatusRow } from '../core/status/store.js'
import { conversationsOf } from './rules.js'
import { type Changed, fileStatus, type Wanted } from './store.js'

const DIRECT = 3

/** People of this server whom a direct status concerns and who do not keep apart from its author. */
const ownersOf = async (ctx: Context, author: string, named: readonly string[]): Promise<Set<string>> => {
  const people = [...new Set([author, ...named])]
  const [{ records }, { apart }] = await Promise.all([
    ctx.call(accountRecords, { ids: people }),
    named.length === 0
      ? { apart: {} as Record<string, unknown> }
      : ctx.call(feedStandings, { viewers: [...named], named: [author], answers: null }),
  ])
  const local = records.filter((one) => one.domain === null && one.usable && !one.suspended)
  return new Set(local.map((one) => one.id).filter((id) => id === author || !(id in apart)))
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

/** Each person hears of their own conversation. */
export const publishConversations = (ctx: Context, changed: readonly Changed[]): Promise<void> =>
  publishToEach(
    ctx,
    changed.map((one) => [one.account_id, { e: 'conversation', id: one.id }]),
  )

/** Files a status as it stands now: new, edited with other people in it, or deleted. */
export const fileIntoConversations = async (ctx: Context, id: string): Promise<void> => {
  const row = (await rowsOf(ctx.db, [id])).get(id)
  const wanted = await wantedFor(ctx, row)
  const changed = await ctx.db.tx(async (tx) => {
    // Deleted since it was read: whoever runs last finds it so, and takes it out.
    const alive = wanted.length > 0 && (await holdAlive(tx, id))
    return fileStatus(tx, { id, thread: row?.conversation_id ?? '0' }, alive ? wanted : [])
  })
  await publishConversations(ctx, changed)
}
