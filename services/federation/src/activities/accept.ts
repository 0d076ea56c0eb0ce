/** Accept: the one who was asked lets somebody here follow. */
import { answerFollow } from './answer.js'
import type { Handler } from './received.js'

export const accept: Handler<'Accept'> = (ctx, received) => answerFollow(ctx, received, 'accept-follow')
