/** Typed constructors of entry points for this service. */
import { handlersFor } from '@murmuration/kernel'
import type { Context } from './context.js'

export const { handle, react, reactAll, work, tick } = handlersFor<Context>()
