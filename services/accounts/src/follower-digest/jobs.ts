/** Begins to keep the digests of the followers of an account that has very many. */
import { keepDigestsJob } from '@murmuration/contracts/accounts'
import { work } from '../handlers.js'
import { keepDigests } from './store.js'

export const keepDigestsWork = work(keepDigestsJob, (ctx, { account }) => ctx.db.tx((tx) => keepDigests(tx, account)))
