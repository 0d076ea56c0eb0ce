/** Reads who lost a handle to another actor, and hands over to that one where nobody is there any more; safe to repeat. */
import { handOverJob } from '@murmuration/contracts/accounts'
import { fetchActor } from '@murmuration/contracts/federation'
import { notYet } from '@murmuration/contracts/kit'
import { handOver } from '../changes/hand-over.js'
import { isHeir, staysNameless } from '../domain/move.js'
import { work } from '../doors.js'
import { takeAnswer } from '../outside/resolve-account.js'
import { accountsByIds } from '../store/account.js'

export const handOverWork = work(handOverJob, async (ctx, { from, to }, { tries }) => {
  const rows = await accountsByIds(ctx.db, [from, to])
  const old = rows.find((row) => row.id === from)
  const heir = rows.find((row) => row.id === to)
  if (!old || !heir) return
  const answer = await ctx.call(fetchActor, { uri: old.uri })
  // A server that is away says nothing about who lives there; after the last try the two stay apart.
  if (answer.outcome === 'later' && tries < handOverJob.retry.times) throw notYet('The old address cannot be read yet')
  const isTwin = answer.actor !== null && staysNameless(answer.actor, heir)
  await takeAnswer(ctx, { uri: old.uri }, old, isTwin ? { outcome: 'refused', actor: null } : answer)
  if (isHeir(old, heir, answer)) await handOver(ctx, from, to)
})
