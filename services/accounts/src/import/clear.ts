/** Overwriting imports: removes rows that the file does not contain, one page per transaction, with the events. */
import { blockRemoved, bookmarksWanted, listChanged } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { lockAccount } from '../core/lock.store.js'
import { keyDomain } from '../core/table.rules.js'
import { endFollows, endRequests } from '../follow/index.js'
import { announceMuteEnds } from '../mute/index.js'
import { deleteUnnamed, deleteUnnamedDomains, deleteUnnamedMembers, unnamedFollows } from './clear.store.js'
import type { ImportRow } from './store.js'

const PAGE = 500

type Changing = Pick<Context, 'announce' | 'invalidations' | 'ids' | 'clock' | 'site'>

/**
 * Removes one page of rows that the file does not contain. Returns `more` if another page of rows may remain, else
 * `cleared`. Returns `away` if the statuses service removes the bookmarks and reports the end.
 */
export const clearForImport = async (ctx: Changing, tx: Tx, row: ImportRow): Promise<'cleared' | 'more' | 'away'> => {
  const of = { account: row.account_id, import: row.id, here: keyDomain(ctx.site.localDomain), limit: PAGE }
  // The statuses service replaces the old filters in the transaction that stores the new ones.
  if (row.kind === 'filters') return 'cleared'
  await lockAccount(tx, row.account_id)
  if (row.kind === 'bookmarks') {
    await ctx.announce(tx, bookmarksWanted, { id: row.id, account: row.account_id, clear: true, rows: [] })
    return 'away'
  }
  if (row.kind === 'lists') {
    const lists = await deleteUnnamedMembers(tx, of)
    await ctx.announce(tx, listChanged, ...lists.map((id) => ({ id, owner: row.account_id })))
    return 'cleared'
  }
  if (row.kind === 'domain_blocks') {
    const domains = await deleteUnnamedDomains(tx, of)
    return domains.length === PAGE ? 'more' : 'cleared'
  }
  if (row.kind === 'follows') {
    const follows = await unnamedFollows(tx, 'follows', of)
    await endFollows(ctx, tx, follows, () => false)
    const requests = await unnamedFollows(tx, 'follow_requests', of)
    await endRequests(ctx, tx, requests, () => 'withdrawn')
    return follows.length === PAGE || requests.length === PAGE ? 'more' : 'cleared'
  }
  const gone = await deleteUnnamed(tx, row.kind, of)
  if (row.kind === 'blocks') await ctx.announce(tx, blockRemoved, ...gone)
  else await announceMuteEnds(ctx, tx, gone)
  return gone.length === PAGE ? 'more' : 'cleared'
}
