/** Job that begins to store follower digests of an account with many followers. */
import { storeDigestsJob } from '@murmuration/contracts/accounts'
import { work } from '../handlers.js'
import { storeDigests } from './store.js'

export const storeDigestsWork = work(storeDigestsJob, (ctx, { account }) =>
  ctx.db.tx((tx) => storeDigests(tx, account)),
)
