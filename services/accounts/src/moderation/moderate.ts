/** Applies a moderation action: rows, ended relationships, events and cache invalidations, in one transaction. */
import {
  accountChanged,
  accountInvalidation,
  endWithSuspendedJob,
  tokenInvalidation,
} from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { flagsOf } from '../core/account/record.js'
import { SUSPENDED_BY_HOME_SERVER } from '../core/account/remote.rules.js'
import { accountsByIds } from '../core/account/store.js'
import { validTokenIdsOf } from '../core/token/store.js'
import { closeStreams } from '../core/token/streams.js'
import { usersByAccountIds } from '../core/user/store.js'
import { stampOfRule } from '../remote-account/index.js'
import { endFollowsHere, endRelationsOfBlocked } from './end-relations.js'
import {
  applyRestriction,
  type Changed,
  liftRestriction,
  type Position,
  type Scope,
  setDisabled,
  setSensitized,
} from './store.js'

export type ModerationAction =
  | 'suspend'
  | 'unsuspend'
  | 'silence'
  | 'unsilence'
  | 'disable'
  | 'enable'
  | 'sensitive'
  | 'unsensitive'

/** Maximum number of accounts of a domain that one transaction changes. */
export const DOMAIN_PAGE = 500

type Moderating = Pick<Context, 'announce' | 'queue' | 'invalidations' | 'ids' | 'clock' | 'nc'>

const changeLogin = (tx: Tx, ids: readonly string[], action: ModerationAction, at: Date): Promise<string[]> => {
  if (action === 'sensitive') return setSensitized(tx, ids, at)
  if (action === 'unsensitive') return setSensitized(tx, ids, null)
  return setDisabled(tx, ids, action === 'disable')
}

const change = async (
  ctx: Moderating,
  tx: Tx,
  scope: Scope,
  action: ModerationAction,
  { stamp, after }: { stamp: string; after: Position | null },
): Promise<Changed> => {
  const at = ctx.clock.date()
  const limit = DOMAIN_PAGE
  // Accounts that a domain rule limited when they were stored have the stamp of the rule, not the stamp of the block.
  const stamps = 'domain' in scope ? [stamp, stampOfRule({ domain: scope.domain, severity: 'silence' })] : []
  // The server of a remote account can lift a suspension that it imposed itself. A suspension by local staff therefore
  // replaces the suspension by that server.
  const weaker = 'ids' in scope ? SUSPENDED_BY_HOME_SERVER : null
  if (action === 'suspend') return applyRestriction(tx, 'suspended', scope, { stamp, at, limit, weaker, after })
  if (action === 'silence') return applyRestriction(tx, 'silenced', scope, { stamp, at, limit, weaker: null, after })
  if (action === 'unsuspend') return liftRestriction(tx, 'suspended', scope, { stamp, stamps, limit, after })
  if (action === 'unsilence') return liftRestriction(tx, 'silenced', scope, { stamp, stamps, limit, after })
  const ids = 'domain' in scope ? [] : await changeLogin(tx, scope.ids, action, at)
  return { ids, next: null, found: ids.length }
}

/** Invalidates cached tokens of the accounts in `accountIds`, and closes their streams. */
const closeLogins = async (ctx: Moderating, tx: Tx, accountIds: readonly string[]): Promise<void> => {
  const users = await usersByAccountIds(tx, accountIds)
  if (users.length === 0) return
  const tokens = await validTokenIdsOf(
    tx,
    users.map((one) => one.user_id),
  )
  tx.onCommit(() => {
    ctx.invalidations.send(tokenInvalidation, tokens)
    for (const { account_id } of users) closeStreams(ctx, account_id)
  })
}

/**
 * Applies a moderation action. Returns the changed accounts. For a domain, it changes one page after `after` and
 * returns the position of the next page.
 */
export const moderate = async (
  ctx: Moderating,
  tx: Tx,
  scope: Scope,
  action: ModerationAction,
  stamp: string,
  after: Position | null = null,
): Promise<Changed> => {
  const changed = await change(ctx, tx, scope, action, { stamp, after })
  const { ids } = changed
  if (ids.length === 0) return changed
  if (action === 'suspend' && 'domain' in scope) {
    await endRelationsOfBlocked(ctx, tx, ids, scope.domain, stamp)
    // Follows that concurrent transactions create are not visible yet. The job ends these follows.
    await ctx.queue(tx, endWithSuspendedJob, { accounts: ids, domain: scope.domain, stamp })
  }
  if (action === 'suspend' && 'ids' in scope) await endFollowsHere(ctx, tx, ids, { stamp, decision: ctx.ids.next() })
  if ('ids' in scope && ['suspend', 'unsuspend', 'disable', 'enable'].includes(action)) await closeLogins(ctx, tx, ids)
  const rows = await accountsByIds(tx, ids)
  const profile = action === 'suspend' || action === 'unsuspend'
  await ctx.announce(
    tx,
    accountChanged,
    ...rows.map((row) => ({ id: row.id, flags: flagsOf(row), profile: profile && row.domain === null })),
  )
  tx.onCommit(() => ctx.invalidations.send(accountInvalidation, ids))
  return changed
}
