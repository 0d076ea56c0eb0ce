/** First step of handlers for collections of an account: identifies the client and the account, and checks blocks. */
import type { LocalActor } from '@murmuration/contracts/accounts'
import { isId } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { type Asker, askerOf } from '../core/asker.js'
import { type Incoming, readIncoming } from '../core/incoming.js'
import { activePerson, isShutOut, standingTo } from '../core/local.js'

export interface AboutPerson {
  request: Incoming
  asker: Asker
  person: LocalActor
  /** True if the account blocks the requesting actor or its server. A blocked actor gets empty lists. */
  shutOut: boolean
}

export const aboutPerson = async (ctx: Context, input: unknown): Promise<AboutPerson> => {
  const request = readIncoming(input)
  const asker = await askerOf(ctx, request)
  const person = await activePerson(ctx, { id: request.param('id'), username: request.param('username') })
  return { request, asker, person, shutOut: isShutOut(await standingTo(ctx, person.id, asker)) }
}

/** Value of a cursor parameter; undefined if it is absent or not an id. */
export const cursor = (request: Incoming, name: string): string | undefined => {
  const value = request.query.get(name)
  return value !== null && isId(value) ? value : undefined
}
