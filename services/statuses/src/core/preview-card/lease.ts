/**
 * Leases the pictures of preview cards. The media service stores and deletes pictures outside of transactions of this
 * service. Without a lease, a picture could therefore be deleted after its request and before the commit of the card
 * that shows it.
 */
import { type Failure, fail } from '@murmuration/contracts/kit'
import type { Context } from '../../context.js'
import { endLeases, type Lease, takeLeases } from './lease.store.js'

/** Milliseconds of a lease; longer than the requests to media last. */
const LEASE_MS = 60_000

export const pictureInUse = (): Failure =>
  fail('unavailable', 'The picture of the preview card is being stored or deleted', { retryAfter: 2 })

/**
 * Runs `work` with leases on names, which are page addresses or ids of preview cards. Throws 503 while another worker
 * has one of the leases.
 */
export const withLeases = async <T>(
  ctx: Pick<Context, 'clock' | 'db' | 'ids'>,
  names: readonly string[],
  work: (lease: Lease) => Promise<T>,
): Promise<T> => {
  const lease = { names: [...new Set(names)], token: ctx.ids.next() }
  const now = ctx.clock.now()
  try {
    const taken = await takeLeases(ctx.db, lease, new Date(now), new Date(now + LEASE_MS))
    if (taken < lease.names.length) throw pictureInUse()
    return await work(lease)
  } finally {
    await endLeases(ctx.db, lease)
  }
}
