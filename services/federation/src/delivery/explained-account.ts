/**
 * Lists the statuses and boosts of a local account since a time, with deleted ones, so that staff finds the address of
 * a status.
 */
import { type AccountRecord, accountRecords } from '@murmuration/contracts/accounts'
import type { explainDelivery } from '@murmuration/contracts/federation'
import { errorText, type Failure, fail, invalidField, type ResultOf } from '@murmuration/contracts/kit'
import { ownStatusIds, type StatusRecord, statusRecords } from '@murmuration/contracts/statuses'
import { idFloor } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { statusUriOf } from '../core/activity/compaction.rules.js'
import { type EndRow, endsOfAccount } from './explained-deletion.store.js'

type Explained = ResultOf<(typeof explainDelivery)['output']>

/** Maximum number of statuses and boosts in the list that is shown to staff. */
const MAX_STATUSES = 50
/** Maximum number of Deletes and Undos that are read for the list of an account. */
const MAX_ENDS = 200

/** The local account with this name. Throws `unprocessable` if no such account exists. */
export const localAccount = async (ctx: Context, name: string): Promise<AccountRecord> => {
  const [found] = (await ctx.call(accountRecords, { handles: [name.replace(/^@/, '').toLowerCase()] })).records
  if (found === undefined || found.domain !== null)
    throw invalidField(errorText('There is no local account named {name}', { name }))
  return found
}

/**
 * The failure if the statuses service is of an older release. That release ignores a condition of the request, so its response
 * may lack requested statuses.
 */
export const olderStatuses = (): Failure =>
  fail(
    'unavailable',
    'The statuses service is of an older release, which cannot find the posts of one account. Try again after its update',
  )

/** Records of deleted statuses and undone boosts. Statuses that the statuses service has erased are left out. */
export const recordsOfEnds = async (ctx: Context, ends: readonly EndRow[]): Promise<StatusRecord[]> => {
  if (ends.length === 0) return []
  const uris = ends.map((it) => (it.kind === 'Undo' ? `${it.about}/activity` : it.about))
  return (await ctx.call(statusRecords, { uris })).records.filter((it) => it.deleted)
}

const byId = async (ctx: Context, ids: readonly string[]): Promise<StatusRecord[]> =>
  ids.length === 0 ? [] : (await ctx.call(statusRecords, { ids: [...ids] })).records

/** Statuses and boosts of the account that were created since a time (milliseconds since 1970), oldest first. */
export const statusesOf = async (
  ctx: Context,
  account: AccountRecord,
  since: number,
): Promise<Pick<Explained, 'statuses' | 'more_statuses' | 'ends_until'>> => {
  const from = idFloor(since)
  const [{ ids }, { rows: ends, readUpTo }] = await Promise.all([
    ctx.call(ownStatusIds, { author: account.id, after: from, limit: MAX_STATUSES + 1 }),
    endsOfAccount(ctx.db, account.id, { from, limit: MAX_ENDS, newestFirst: false }),
  ])
  // A statuses service of an older release ignores the time, and returns the first posts of the account.
  if (ids.some((id) => BigInt(id) < BigInt(from))) throw olderStatuses()
  const [living, ended] = await Promise.all([byId(ctx, ids), recordsOfEnds(ctx, ends)])
  const unique = new Map([...living, ...ended].map((it) => [it.id, it]))
  const all = [...unique.values()]
    .filter((it) => it.author === account.id && BigInt(it.id) >= BigInt(from))
    .toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)))
  const listed = all.slice(0, MAX_STATUSES)
  const originals = await byId(ctx, [...new Set(listed.flatMap((it) => it.reblog_of ?? []))])
  const uriOf = new Map(originals.map((it) => [it.id, it.uri]))
  const endOf = new Map(ends.map((it) => [it.about, it.created_at.toISOString()]))
  return {
    statuses: listed.map((it) => ({
      uri: it.uri,
      created_at: it.created_at,
      visibility: it.visibility,
      boost_of: uriOf.get(it.reblog_of ?? '') ?? null,
      ended_at: it.deleted ? (it.deleted_at ?? endOf.get(statusUriOf(it.uri)) ?? null) : null,
    })),
    ...((all.length > MAX_STATUSES || readUpTo !== null) && { more_statuses: true }),
    ...(readUpTo !== null && { ends_until: readUpTo.toISOString() }),
  }
}
