/** Makes a list. */
import type { List } from '@murmuration/contracts'
import { listCreate } from '@murmuration/contracts/accounts'
import { invalidField, type Json, toJson } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { listTitle, repliesPolicy } from '../../domain/list.js'
import { handle } from '../../doors.js'
import { answerOf, rememberAnswer } from '../../store/command.js'
import { countLists, insertList } from '../../store/list.js'
import { lockName } from '../../store/lock.js'

export const createList = handle(listCreate, async (ctx, viewer, input, request) => {
  const key = request.idempotencyKey && `list ${viewer.id} ${request.idempotencyKey}`
  const list = {
    id: ctx.ids.next(),
    title: listTitle(input.title ?? ''),
    replies_policy: repliesPolicy(input.replies_policy ?? 'list'),
    exclusive: input.exclusive,
  }
  return ctx.db.tx(async (tx) => {
    // One after the other, so that neither the limit nor a repeated key is passed by two at once (F064).
    await lockName(tx, `lists ${viewer.id}`)
    const earlier = key ? await answerOf(tx, key) : null
    if (earlier !== null) return earlier as Json<List>
    if ((await countLists(tx, viewer.id)) >= limits.accounts.lists)
      throw invalidField('You have reached the maximum number of lists')
    await insertList(tx, viewer.id, list, ctx.clock.date())
    const answer = toJson<List>(list)
    if (key) await rememberAnswer(tx, key, answer)
    return answer
  })
})
