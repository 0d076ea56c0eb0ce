/** The doors of admin, typed by its context. */
import { doors } from '@murmuration/kernel'
import type { Context } from './context.js'

export const { handle, react, reactAll, work, tick } = doors<Context>()
