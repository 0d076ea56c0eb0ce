/** Parses the header `Collection-Synchronization` of a delivery (FEP-8fcf), and queues the comparison of followers. */
import { createHash } from 'node:crypto'
import { readCollectionSynchronization } from '@murmuration/activitypub/signatures/collection-synchronization'
import { isCovered } from '@murmuration/activitypub/signatures/covered'
import { synchroniseFollowersJob } from '@murmuration/contracts/federation'
import type { Context } from '../context.js'
import { headerText, type Incoming } from '../core/signature/incoming.js'
import type { Signer } from '../core/signature/signer.js'

const HEADER = 'collection-synchronization'

/** Queues the comparison, one job per sender and digest. The header must be signed. Failures are logged, not thrown. */
export const recordSynchronisation = async (ctx: Context, request: Incoming, signer: Signer): Promise<void> => {
  const header = headerText(request, HEADER)
  if (header === '' || !isCovered(request, HEADER)) return
  try {
    const account = await ctx.accountCache.account(signer.owner)
    if (!account?.followers_url) return
    const claimed = readCollectionSynchronization(header, { uri: account.uri, followers: account.followers_url })
    if (claimed === null) return
    const id = createHash('sha256').update(`${account.id} ${claimed.digest} ${claimed.url}`).digest('base64url')
    await ctx.queues.push(synchroniseFollowersJob, {
      id,
      data: { account: account.id, url: claimed.url, digest: claimed.digest },
    })
  } catch (error) {
    ctx.log.warn({ error }, 'followers are not compared this time')
  }
}
