/** Reject: the one who was asked refuses, or ends a follow that was granted before. */
import { answerFollow } from './answer.js'
import { answerQuestion, quoteAsked } from './quote-answer.js'
import type { Handler } from './received.js'

export const reject: Handler<'Reject'> = (ctx, received) => {
  const status = quoteAsked(ctx, received.activity)
  return status === null ? answerFollow(ctx, received, 'reject-follow') : answerQuestion(ctx, received, status)
}
