/** What the fetch code needs of a context. */
import type { Context } from '../../context.js'
import type { Place } from './actor.js'

export const placeOf = ({ reader, self, policy, config }: Context): Place => ({ reader, self, policy, config })

/** The same for reading that nobody waits for, such as threads and outboxes. */
export const placeBehind = (ctx: Context): Place => {
  const { reader } = ctx
  return {
    ...placeOf(ctx),
    reader: { ...reader, read: (uri, options) => reader.read(uri, { ...options, behind: true }) },
  }
}
