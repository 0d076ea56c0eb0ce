/** Reject: the one who was asked refuses, or ends a follow that was granted before. */
import { answerFollow } from './answer.js'
import type { Handler } from './received.js'

export const reject: Handler<'Reject'> = (ctx, received) => answerFollow(ctx, received, 'reject-follow')
