/** Event handler that lets a new account follow its inviter, if the invitation has `autofollow`. */
import { accountJoined } from '@murmuration/contracts/accounts'
import { accountsByIds } from '../core/account/store.js'
import { lockPair } from '../core/lock.store.js'
import { relationshipsOfViewer } from '../core/relationship/store.js'
import { beginFollow, DEFAULT_FOLLOW_OPTIONS, followOutcome, requestFollow } from '../follow/index.js'
import { react } from '../handlers.js'
import { inviterToFollow } from './store.js'

export const onAccountJoined = react(accountJoined, 'on-account-joined', async (ctx, e) => {
  const inviter = await inviterToFollow(ctx.db, e.id)
  if (inviter === null || inviter === e.id) return
  await ctx.db.tx(async (tx) => {
    await lockPair(tx, e.id, inviter)
    const rows = await accountsByIds(tx, [e.id, inviter])
    const [relationship] = await relationshipsOfViewer(tx, e.id, [inviter], ctx.clock.date())
    const from = rows.find((row) => row.id === e.id)
    const to = rows.find((row) => row.id === inviter)
    if (!from || !to) return
    const outcome = followOutcome(from, to, relationship ?? null)
    if (outcome === 'follow') await beginFollow(ctx, tx, from, to, DEFAULT_FOLLOW_OPTIONS)
    if (outcome === 'request') await requestFollow(ctx, tx, from, to, DEFAULT_FOLLOW_OPTIONS)
  })
})
