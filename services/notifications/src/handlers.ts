/** Functions that declare operations, reactions, jobs and ticks with the context type of this service. */
import { handlersFor } from '@murmuration/kernel'
import type { Context } from './context.js'

export const { handle, react, reactAll, work, tick } = handlersFor<Context>()
