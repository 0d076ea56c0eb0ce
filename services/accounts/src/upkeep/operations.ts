/** Handlers of upkeep: of one account at once, of many in a task. */
import {
  accountCull,
  accountRefresh,
  accountRefreshAll,
  accountsFollow,
  accountsInvolved,
  accountsPrunable,
  accountsPrune,
  accountsPurgeDomains,
  accountsUnfollow,
  accountTasks,
  feedOwners,
  keyRotate,
  keyRotateAll,
  profileMediaRemove,
} from '@murmuration/contracts/accounts'
import { fail, invalidField, notFound } from '@murmuration/contracts/kit'
import { idFloor, startTask } from '@murmuration/kernel'
import { normaliseDomain } from '@murmuration/text'
import type { Context } from '../context.js'
import { handle } from '../doors.js'
import { type AccountRow, accountById } from '../store/account.js'
import { changeUser } from '../user/index.js'
import { cullKind } from './cull.js'
import { endFollowsKind, followKind } from './follow-all.js'
import { profileMediaKind } from './profile-media.js'
import { pruneAccounts, purgeKind } from './purge.js'
import { refreshAccount, refreshKind } from './refresh.js'
import { newKeys, rotateKeys, rotateKind } from './rotate-keys.js'
import { accountsById, feedOwnersAfter, involvedAmong, prunableAccounts } from './store.js'

/** Accounts that became known in the last week are kept: their statuses may still be on the way. */
const DAY_MS = 86_400_000
const KEPT_MS = 7 * DAY_MS
const WINDOW = 2_000

const known = async (ctx: Context, id: string): Promise<AccountRow> => {
  const row = await accountById(ctx.db, id)
  if (!row) throw notFound()
  return row
}

const domainOf = (given: string): string => {
  const domain = normaliseDomain(given)
  if (domain === null) throw invalidField(`Domain ${given} is not a valid domain name`)
  return domain
}

export const refresh = handle(accountRefresh, async (ctx, _viewer, { id }) => {
  const row = await known(ctx, id)
  if (row.domain === null) throw fail('forbidden', 'This action is not allowed')
  return { outcome: await refreshAccount(ctx, row, {}) }
})

export const refreshAll = handle(accountRefreshAll, (ctx, by, { domain, dry_run }) =>
  startTask(ctx, accountTasks, refreshKind, {
    by,
    input: { domain: domain ? domainOf(domain) : null },
    dryRun: dry_run,
  }),
)

export const cull = handle(accountCull, (ctx, by, { domains, dry_run }) =>
  startTask(ctx, accountTasks, cullKind, { by, input: { domains: domains.map(domainOf) }, dryRun: dry_run }),
)

export const purgeDomains = handle(accountsPurgeDomains, (ctx, by, { domains, below, by_uri, dry_run }) => {
  const names = domains.map(domainOf)
  const own = [ctx.site.localDomain, ctx.site.webDomain].map(normaliseDomain)
  if (names.some((name) => own.includes(name))) throw invalidField('Domain is the domain of this server')
  return startTask(ctx, accountTasks, purgeKind, {
    by,
    input: { domains: names, below, byUri: by_uri },
    dryRun: dry_run,
  })
})

export const rotate = handle(keyRotate, async (ctx, viewer, { id }) => {
  // Checks the rank before a key is made.
  await changeUser(ctx, viewer, id, async () => ({ act: null, result: null }))
  const pairs = await newKeys(ctx, [id])
  await changeUser(ctx, viewer, id, async (tx) => {
    await rotateKeys(ctx, tx, pairs)
    return { act: { action: 'rotate_keys_user' }, result: null }
  })
  return {}
})

export const rotateAll = handle(keyRotateAll, (ctx, by, { delay }) =>
  startTask(ctx, accountTasks, rotateKind, { by, input: { delay }, dryRun: false }),
)

export const follow = handle(accountsFollow, async (ctx, by, { id, dry_run }) => {
  const row = await known(ctx, id)
  if (row.domain !== null || row.suspended || !row.usable) throw invalidField('Account must be an active local account')
  return startTask(ctx, accountTasks, followKind, {
    by,
    input: { target: id, handle: row.username },
    dryRun: dry_run,
  })
})

export const unfollow = handle(accountsUnfollow, async (ctx, by, { id, which, dry_run }) => {
  const row = await known(ctx, id)
  const handle = row.domain === null ? row.username : `${row.username}@${row.domain}`
  return startTask(ctx, accountTasks, endFollowsKind, { by, input: { target: id, handle, which }, dryRun: dry_run })
})

export const removeProfileMedia = handle(profileMediaRemove, (ctx, by, input) => {
  const { days, headers_only, include_follows, dry_run } = input
  const before = new Date(ctx.clock.now() - days * DAY_MS).toISOString()
  const kinds = headers_only ? (['header'] as const) : (['avatar', 'header'] as const)
  return startTask(ctx, accountTasks, profileMediaKind, {
    by,
    input: { before, days, kinds: [...kinds], includeFollows: include_follows },
    dryRun: dry_run,
  })
})

const floor = (ctx: Context): string => idFloor(ctx.clock.now() - KEPT_MS)

export const prunable = handle(accountsPrunable, async (ctx, _viewer, { after }) => {
  const { seen, last, ids } = await prunableAccounts(ctx.db, after, floor(ctx), WINDOW)
  return { ids, seen, next: seen < WINDOW ? null : last }
})

export const prune = handle(accountsPrune, async (ctx, _viewer, { ids }) => {
  const rows = await accountsById(ctx.db, ids)
  const removed = await ctx.db.tx((tx) => pruneAccounts(ctx, tx, rows, floor(ctx)))
  return { removed }
})

export const involved = handle(accountsInvolved, (ctx, _viewer, { ids }) => involvedAmong(ctx.db, ids))

export const listFeedOwners = handle(feedOwners, async (ctx, _viewer, { since, limit, ...it }) => {
  const owners = await feedOwnersAfter(ctx.db, { ...it, limit, since: since === null ? null : new Date(since) })
  return { owners, next: owners.length < limit ? null : (owners.at(-1)?.id ?? null) }
})
