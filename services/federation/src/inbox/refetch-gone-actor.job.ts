/** Fetches the actors again whose inbox returned 410. The fetch stores a moved inbox, and deletes a deleted actor. */
import { accountsAtInbox, resolveAccount } from '@murmuration/contracts/accounts'
import { refetchGoneActorJob } from '@murmuration/contracts/federation'
import { work } from '../handlers.js'

export const refetchGoneActor = work(refetchGoneActorJob, async (ctx, whose, { tries }) => {
  // The rate limit permits one fetch a day per actor or inbox. A retry of the same job does not count.
  const name = 'uri' in whose ? whose.uri : `inbox ${whose.inbox}`
  if (tries <= 1 && !(await ctx.fetcher.limits.mayFetchGoneActor(name))) return
  const { uris } = 'uri' in whose ? { uris: [whose.uri] } : await ctx.call(accountsAtInbox, { inbox: whose.inbox })
  await Promise.all(uris.map((uri) => ctx.call(resolveAccount, { uri, refresh: true })))
})
