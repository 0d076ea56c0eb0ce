/** Job that begins to store follower digests of an account with many followers. */
import { keepDigestsJob } from '@murmuration/contracts/accounts'
import { work } from '../handlers.js'
import { keepDigests } from './store.js'

export const keepDigestsWork = work(keepDigestsJob, (ctx, { account }) => ctx.db.tx((tx) => keepDigests(tx, account)))
