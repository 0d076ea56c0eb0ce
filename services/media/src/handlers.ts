/** Registration of entry points of media, typed by its context. */
import { handlersFor } from '@murmuration/kernel'
import type { Context } from './context.js'

export const { handle, react, work, tick } = handlersFor<Context>()
