/** Registration functions for the entry points of the accounts service, typed by its context. */
import { handlersFor } from '@murmuration/kernel'
import type { Context } from './context.js'

export const { handle, react, work, tick } = handlersFor<Context>()
