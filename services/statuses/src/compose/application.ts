/** Looks up the name and website of the app that a status was written with. */
import { type CardCache, createCardCache } from '@murmuration/cards'
import { verifyApp } from '@murmuration/contracts/accounts'
import type { StatusApplication } from '@murmuration/contracts/entities'
import { type Json, toJson } from '@murmuration/contracts/kit'
import type { BaseContext, Request } from '@murmuration/kernel'

/**
 * Cache of app names by app id, for ten minutes. A missing name is read with the access token of the current request.
 */
export const createKnownApps = ({
  call,
  clock,
}: Pick<BaseContext<typeof verifyApp>, 'call' | 'clock'>): CardCache<StatusApplication> =>
  createCardCache({
    now: clock.now,
    ttlMs: 600_000,
    maxChars: 1_000_000,
    async load([id]) {
      const { name, website } = await call(verifyApp, {}, { timeoutMs: 1_000 })
      return new Map<string, Json<StatusApplication>>([[id ?? '', toJson({ name, website })]])
    },
  })

interface Needs extends Pick<BaseContext, 'log'> {
  readonly knownApps: CardCache<StatusApplication>
}

/**
 * Name and website of the app behind a request. Null if there is no app or the lookup fails, so that the status is
 * stored anyway.
 */
export const applicationOf = async (ctx: Needs, request: Request): Promise<StatusApplication | null> => {
  const id = request.caller?.app?.id
  if (!id) return null
  try {
    const text = (await ctx.knownApps.many([id])).get(id)
    return text === undefined ? null : JSON.parse(text)
  } catch (error) {
    ctx.log.info({ error }, 'the app of a status could not be looked up')
    return null
  }
}
