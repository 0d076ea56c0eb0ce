/** Fetches an actor again whose inbox is gone: the inbox may have moved, and a deleted actor is then deleted here too. */
import { accountResolve, accountsAtInbox } from '@murmuration/contracts/accounts'
import { lookAgainJob } from '@murmuration/contracts/federation'
import { work } from '../handlers.js'

export const lookAgain = work(lookAgainJob, async (ctx, whose, { tries }) => {
  // A retry of the job continues. Another job of the same day would find nothing new.
  const name = 'uri' in whose ? whose.uri : `inbox ${whose.inbox}`
  if (tries <= 1 && !(await ctx.reader.budgets.mayLookAgain(name))) return
  const { uris } = 'uri' in whose ? { uris: [whose.uri] } : await ctx.call(accountsAtInbox, { inbox: whose.inbox })
  await Promise.all(uris.map((uri) => ctx.call(accountResolve, { uri, refresh: true })))
})
