/** Context that the fetch code needs. */
import type { Context } from '../context.js'
import type { Place } from './actor.js'

export const placeOf = ({ reader, self, policy, config }: Context): Place => ({ reader, self, policy, config })

/** The same for background reads, such as threads and outboxes. */
export const placeBehind = (ctx: Context): Place => {
  const { reader } = ctx
  return {
    ...placeOf(ctx),
    reader: { ...reader, read: (uri, options) => reader.read(uri, { ...options, why: 'behind' }) },
  }
}

/** The same for reads that any sender may cause, such as keys of activities. */
export const placeStrange = (ctx: Context): Place => {
  const { reader } = ctx
  return {
    ...placeOf(ctx),
    reader: { ...reader, read: (uri, options) => reader.read(uri, { ...options, why: 'strange' }) },
  }
}

/** The same, signed by a local account. */
export const placeAs = (place: Place, as: string): Place => {
  const { reader } = place
  return { ...place, reader: { ...reader, read: (uri, options) => reader.read(uri, { ...options, as }) } }
}
