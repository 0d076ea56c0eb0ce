/** Follows an account, asks to follow it, or changes how it is followed. */
import { followCreate } from '@murmuration/contracts/accounts'
import { fail, invalidField, notFound, reply } from '@murmuration/contracts/kit'
import { beginFollow, requestFollow } from '../../changes/follow.js'
import { followOutcome, mostFollows, usualChoices } from '../../domain/follow.js'
import { chosenLanguages } from '../../domain/language.js'
import { handle } from '../../doors.js'
import { accountsByIds } from '../../store/account.js'
import { updateChoices } from '../../store/follow.js'
import { lockPair } from '../../store/lock.js'
import { standingsOfViewer } from '../../store/relation.js'
import { relationshipTo } from '../../views/relationship.js'

export const createFollow = handle(followCreate, async (ctx, viewer, { id, reblogs, notify, languages }) => {
  if (id === viewer.id) throw fail('forbidden', 'Following your own account is not allowed')
  const given = { reblogs, notify, languages: chosenLanguages(languages) }
  const pair = { from: viewer.id, to: id }

  const { outcome, answersFirst } = await ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer.id, id)
    const [rows, [standing]] = [
      await accountsByIds(tx, [viewer.id, id]),
      await standingsOfViewer(tx, viewer.id, [id], ctx.clock.date()),
    ]
    const from = rows.find((row) => row.id === viewer.id)
    const to = rows.find((row) => row.id === id)
    if (!from) throw notFound()
    const outcome = followOutcome(from, to ?? null, standing ?? null)
    if (!to || outcome === 'hidden') throw notFound()
    if (outcome === 'refused') throw fail('forbidden', 'This action is not allowed')

    const choices = {
      reblogs: given.reblogs ?? usualChoices.reblogs,
      notify: given.notify ?? usualChoices.notify,
      languages: given.languages ?? usualChoices.languages,
    }
    if (outcome === 'change-follow') await updateChoices(tx, 'follows', pair, given)
    if (outcome === 'change-request') await updateChoices(tx, 'follow_requests', pair, given)
    if (outcome === 'request') await requestFollow(ctx, tx, from, to, choices)
    if (outcome === 'follow') {
      const mine = (await beginFollow(ctx, tx, from, to, choices))?.get(from.id)
      const most = mostFollows(mine?.followers_count ?? 0)
      if (mine && mine.following_count > most) throw invalidField(`You cannot follow more than ${most} people`)
    }
    return { outcome, answersFirst: to.domain !== null && !to.locked }
  })

  const relationship = await relationshipTo(ctx, viewer.id, id)
  // An open account elsewhere will accept in a moment, and clients should not show a request that nobody must answer.
  const shown =
    answersFirst && relationship.requested ? { ...relationship, following: true, requested: false } : relationship
  const changed = outcome === 'follow' || outcome === 'request'
  return reply(shown, changed ? {} : { headers: { 'X-Unchanged': '1' } })
})
