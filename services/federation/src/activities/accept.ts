/** Accept: the one who was asked lets somebody here follow, or quote. */
import { answerFollow } from './answer.js'
import { answerQuestion, quoteAsked } from './quote-answer.js'
import type { Handler } from './received.js'
import { relayAnswered } from './relay.js'

export const accept: Handler<'Accept'> = async (ctx, received) => {
  const relay = await relayAnswered(ctx, received)
  if (relay !== null) return relay
  const status = quoteAsked(ctx, received.activity)
  return status === null ? answerFollow(ctx, received, 'accept-follow') : answerQuestion(ctx, received, status)
}
