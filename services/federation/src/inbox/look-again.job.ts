/** Reads an actor again whose inbox is not there any more: it may be elsewhere, and who is gone there is then gone here too. */
import { accountResolve, accountsAtInbox } from '@murmuration/contracts/accounts'
import { lookAgainJob } from '@murmuration/contracts/federation'
import { work } from '../doors.js'

export const lookAgain = work(lookAgainJob, async (ctx, whose, { tries }) => {
  // The same job again goes on; another one of the same day has nothing to find.
  const name = 'uri' in whose ? whose.uri : `inbox ${whose.inbox}`
  if (tries <= 1 && !(await ctx.reader.budgets.mayLookAgain(name))) return
  const { uris } = 'uri' in whose ? { uris: [whose.uri] } : await ctx.call(accountsAtInbox, { inbox: whose.inbox })
  await Promise.all(uris.map((uri) => ctx.call(accountResolve, { uri, refresh: true })))
})
