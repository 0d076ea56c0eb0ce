/** Creates fetch contexts, one per reason of a request. */
import type { Context } from '../context.js'
import type { FetchContext } from './actor.js'

export const fetchContext = ({ fetcher, self, policy, config }: Context): FetchContext => ({
  fetcher,
  self,
  policy,
  config,
})

/** Like `fetchContext`, for background requests, such as for threads and outboxes. */
export const backgroundFetch = (ctx: Context): FetchContext => {
  const { fetcher } = ctx
  return {
    ...fetchContext(ctx),
    fetcher: { ...fetcher, read: (uri, options) => fetcher.read(uri, { ...options, why: 'behind' }) },
  }
}

/** Like `fetchContext`, for requests that any sender may cause, such as for keys of activities. */
export const untrustedFetch = (ctx: Context): FetchContext => {
  const { fetcher } = ctx
  return {
    ...fetchContext(ctx),
    fetcher: { ...fetcher, read: (uri, options) => fetcher.read(uri, { ...options, why: 'signer-key' }) },
  }
}

/** A copy of a fetch context, in which the local account `as` signs the requests. */
export const fetchAs = (context: FetchContext, as: string): FetchContext => {
  const { fetcher } = context
  return { ...context, fetcher: { ...fetcher, read: (uri, options) => fetcher.read(uri, { ...options, as }) } }
}
