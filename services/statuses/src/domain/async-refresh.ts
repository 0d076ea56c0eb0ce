/** Names of work in the background, as answers carry them: whose home feed is being made. Opaque to clients. */

const KIND = 'home'

export const homeRefreshId = (account: string): string => Buffer.from(`${KIND}:${account}`).toString('base64url')

/** Whose feed an id means; null when it means none. */
export const readHomeRefreshId = (id: string): string | null => {
  const [kind, account, ...rest] = Buffer.from(id, 'base64url').toString().split(':')
  return kind === KIND && account !== undefined && /^\d{1,19}$/.test(account) && rest.length === 0 ? account : null
}

/** The thing that work about a thread is done for. */
export const threadThing = (status: string): string => `thread:${status}`

/** The header of an answer that is not the last word: ask for the work by this id, in so many seconds. */
export const refreshHeader = (id: string, { retry = 5, count }: { retry?: number; count?: number } = {}) => ({
  'Mastodon-Async-Refresh': `id="${id}", retry=${retry}${count === undefined ? '' : `, result_count=${count}`}`,
})
