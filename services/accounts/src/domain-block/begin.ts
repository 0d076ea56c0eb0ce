/** Stores a domain block of a user and ends the user's relationships to that domain, in the transaction of the caller. */
import { domainBlocked } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { lockAccount } from '../core/lock.store.js'
import { endDomainRelations } from './end-relations.js'
import { insertDomainBlock } from './store.js'

export const blockDomainAs = async (
  ctx: Pick<Context, 'announce' | 'queue' | 'invalidations' | 'ids' | 'clock'>,
  tx: Tx,
  viewer: string,
  domain: string,
): Promise<void> => {
  // The account is locked for all relationship changes, so that no follow begins after the block and before the end of existing follows.
  await lockAccount(tx, viewer)
  const id = ctx.ids.next()
  const fresh = await insertDomainBlock(tx, { id, account: viewer, domain, at: ctx.clock.date() })
  if (!fresh) return
  await ctx.announce(tx, domainBlocked, { id: viewer, domain })
  await endDomainRelations(ctx, tx, viewer, domain, `domain block ${id}`)
}
