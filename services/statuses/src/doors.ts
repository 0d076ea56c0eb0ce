/** The doors of statuses, typed by its context. */
import { doors } from '@murmuration/kernel'
import type { Context } from './context.js'

export const { handle, react, reactAll, work, workAll, tick } = doors<Context>()
