/** Functions that declare entry points, typed by the context of notifications. */
import { handlersFor } from '@murmuration/kernel'
import type { Context } from './context.js'

export const { handle, react, reactAll, work, tick } = handlersFor<Context>()
