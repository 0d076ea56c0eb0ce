/** Makes the entry points of admin, typed by its context. */
import { handlersFor } from '@murmuration/kernel'
import type { Context } from './context.js'

export const { handle, react, reactAll, work, tick } = handlersFor<Context>()
