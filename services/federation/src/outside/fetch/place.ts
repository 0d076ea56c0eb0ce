/** What the fetch code needs of a context. */
import type { Context } from '../../context.js'
import type { Place } from './actor.js'

export const placeOf = ({ reader, self, policy, config }: Context): Place => ({ reader, self, policy, config })
