/** Reject: a remote account rejects a request of a local account, or ends an accepted follow. */
import { answerFollow } from './answer.js'
import { featureAnswered } from './feature-answer.js'
import { answerQuestion, quoteAsked } from './quote-answer.js'
import type { Handler } from './received.js'
import { relayAnswered } from './relay.js'
import { replyAnswered } from './reply-approval.js'

export const reject: Handler<'Reject'> = async (ctx, received) => {
  const relay = await relayAnswered(ctx, received)
  if (relay !== null) return relay
  const status = await quoteAsked(ctx, received.activity)
  if (status !== null) return answerQuestion(ctx, received, status)
  const answered = (await featureAnswered(ctx, received)) ?? (await replyAnswered(ctx, received))
  return answered ?? answerFollow(ctx, received, 'reject-follow')
}
