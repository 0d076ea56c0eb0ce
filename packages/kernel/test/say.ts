/** An event, and the operation that announces it, for tests of events. */
import { event, internal, operation } from '@murmuration/contracts/kit'
import { z } from 'zod'
import { type BaseContext, handlersFor } from '../src/index.js'

const word = z.object({ word: z.string() })
export const said = event('media.word.said', { data: word, about: 'A word was said.' })
export const say = operation('media.word.say', {
  viewer: internal(),
  class: 'write',
  input: word,
  output: z.object({}),
  about: 'Says a word.',
})

export const sayWord = handlersFor<BaseContext>().handle(say, (ctx, _viewer, data) =>
  ctx.db.tx(async (tx) => {
    await ctx.announce(tx, said, data)
    return {}
  }),
)
