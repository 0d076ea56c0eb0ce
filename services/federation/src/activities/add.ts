/** Add: pins of remote people are not kept. */
import { ignored } from './outcome.js'
import type { Handler } from './received.js'

export const add: Handler<'Add'> = async () => ignored('pins-are-not-kept')
