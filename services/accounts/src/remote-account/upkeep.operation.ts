/** Handlers of maintenance: for one account immediately, for many accounts as a task. */

import {
  accountsPrunable,
  accountTasks,
  cullAccounts,
  pruneAccounts as pruneAccountsOperation,
  purgeDomains,
  refreshAccount,
  refreshAllAccounts,
  removeProfileMedia,
  userManaged,
} from '@murmuration/contracts/accounts'
import { errorText, fail, invalidField } from '@murmuration/contracts/kit'
import { idFloor, startTask } from '@murmuration/kernel'
import { normaliseDomain } from '@murmuration/text'
import type { Context } from '../context.js'
import { existingAccount } from '../core/account/visible-account.js'
import { handle } from '../handlers.js'
import { cullKind } from './cull.js'
import { profileMediaKind } from './profile-media.js'
import { pruneAccounts, purgeKind } from './purge.js'
import { accountsById, prunableAccounts } from './purge.store.js'
import { applyRefresh, fetchRemote, type Refreshed, refreshKind } from './refresh.js'

const DAY_MS = 86_400_000
/** Accounts stored during this time, in milliseconds, are not pruned, because their statuses may still be delivered. */
const KEPT_MS = 7 * DAY_MS
const WINDOW = 2_000

const domainOf = (given: string): string => {
  const domain = normaliseDomain(given)
  if (domain === null) throw invalidField(errorText('Domain {given} is not a valid domain name', { given }))
  return domain
}

export const refresh = handle(refreshAccount, async (ctx, viewer, { id }) => {
  const row = await existingAccount(ctx, id)
  if (row.domain === null) throw fail('forbidden', 'This action is not allowed')
  const record = (outcome: Refreshed) =>
    ctx.db.tx((tx) =>
      ctx.announce(tx, userManaged, {
        by: viewer?.id ?? null,
        action: 'refresh_account',
        targetId: id,
        target: `${row.username}@${row.domain}`,
        before: null,
        after: { outcome },
      }),
    )
  const result = await fetchRemote(ctx, row.uri, { fresh: true })
  // The audit log entry of a removal is stored first, so that no account is removed without an entry.
  if (result.outcome === 'gone') await record('gone')
  const outcome = await applyRefresh(ctx, row, result)
  if (outcome !== 'gone') await record(outcome)
  return { outcome }
})

export const refreshAll = handle(refreshAllAccounts, (ctx, by, { domain, dry_run }) =>
  startTask(ctx, accountTasks, refreshKind, {
    by,
    input: { domain: domain ? domainOf(domain) : null },
    dryRun: dry_run,
  }),
)

export const cull = handle(cullAccounts, (ctx, by, { domains, dry_run }) =>
  startTask(ctx, accountTasks, cullKind, { by, input: { domains: domains.map(domainOf) }, dryRun: dry_run }),
)

export const handlePurgeDomains = handle(purgeDomains, (ctx, by, { domains, below, by_uri, dry_run }) => {
  const names = domains.map(domainOf)
  const own = [ctx.site.localDomain, ctx.site.webDomain].map(normaliseDomain)
  if (names.some((name) => own.includes(name))) throw invalidField('Domain is the domain of this server')
  return startTask(ctx, accountTasks, purgeKind, {
    by,
    input: { domains: names, below, byUri: by_uri },
    dryRun: dry_run,
  })
})

export const remove = handle(removeProfileMedia, (ctx, by, input) => {
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

export const prune = handle(pruneAccountsOperation, async (ctx, _viewer, { ids }) => {
  const rows = await accountsById(ctx.db, ids)
  const removed = await ctx.db.tx((tx) => pruneAccounts(ctx, tx, rows, floor(ctx)))
  return { removed }
})
