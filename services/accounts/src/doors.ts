/** Registration of entry points of accounts, typed by its context. */
import { doors } from '@murmuration/kernel'
import type { Context } from './context.js'

export const { handle, react, work, tick } = doors<Context>()
