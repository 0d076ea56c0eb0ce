/** Contexts of the fetch code, one per reason of requests. */
import type { Context } from '../context.js'
import type { Place } from './actor.js'

export const placeOf = ({ reader, self, policy, config }: Context): Place => ({ reader, self, policy, config })

/** Like `placeOf`, for background requests, such as for threads and outboxes. */
export const placeBehind = (ctx: Context): Place => {
  const { reader } = ctx
  return {
    ...placeOf(ctx),
    reader: { ...reader, read: (uri, options) => reader.read(uri, { ...options, why: 'behind' }) },
  }
}

/** Like `placeOf`, for requests that any sender may cause, such as for keys of activities. */
export const placeStrange = (ctx: Context): Place => {
  const { reader } = ctx
  return {
    ...placeOf(ctx),
    reader: { ...reader, read: (uri, options) => reader.read(uri, { ...options, why: 'strange' }) },
  }
}

/** The same context, with requests that the local account `as` signs. */
export const placeAs = (place: Place, as: string): Place => {
  const { reader } = place
  return { ...place, reader: { ...reader, read: (uri, options) => reader.read(uri, { ...options, as }) } }
}
