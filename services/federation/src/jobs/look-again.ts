/** Reads an actor again whose inbox is not there any more: who is gone there is then gone here too. */
import { accountResolve } from '@murmuration/contracts/accounts'
import { lookAgainJob } from '@murmuration/contracts/federation'
import { work } from '../doors.js'

export const lookAgain = work(lookAgainJob, async (ctx, { uri }) => {
  await ctx.call(accountResolve, { uri, refresh: true })
})
