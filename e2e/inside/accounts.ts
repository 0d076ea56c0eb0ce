/** API clients inside the test network, and waits for asynchronous effects. */
import { createAccountByOperator, createTokenByOperator } from '@murmuration/contracts/accounts'
import { expect } from 'vitest'
import type { Site } from './clusters.js'

export interface Account {
  id: string
  acct: string
  username: string
  uri: string
}

export interface Status {
  id: string
  uri: string
  content: string
  spoiler_text: string
  favourites_count: number
  reblogs_count: number
  reblog: Status | null
  account: { acct: string }
  in_reply_to_id: string | null
  visibility: string
  edited_at: string | null
  poll: { id: string; options: { title: string; votes_count: number }[]; votes_count: number; voted?: boolean } | null
}

export interface Me {
  site: Site
  token: string
  handle: string
  get<T>(path: string): Promise<T>
  post<T>(path: string, body?: unknown): Promise<T>
  put<T>(path: string, body: unknown): Promise<T>
  remove<T>(path: string): Promise<T>
}

export const person = async (site: Site, username: string): Promise<Me> => {
  const email = `${username}@${site.domain}`
  await site.product.call(createAccountByOperator, { username, email, confirmed: true })
  const { token } = await site.product.call(createTokenByOperator, { username, scopes: 'read write follow push' })
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(site.origin + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text) as T
  }
  return {
    site,
    token,
    handle: `${username}@${site.domain}`,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body ?? {}),
    put: (path, body) => call('PUT', path, body),
    remove: (path) => call('DELETE', path),
  }
}

/** Repeats `look` until `check` passes. */
export const eventually = <T>(look: () => T | Promise<T>, check: (found: T) => void): Promise<void> =>
  expect
    .poll(
      async () => {
        try {
          check(await look())
          return 'yes'
        } catch (error) {
          return String((error as Error).message).slice(0, 500)
        }
      },
      { interval: 100 },
    )
    .toBe('yes')

export const find = async (me: Me, handle: string): Promise<Account> => {
  const { accounts } = await me.get<{ accounts: Account[] }>(
    `/api/v2/search?type=accounts&resolve=true&q=${encodeURIComponent(handle)}`,
  )
  const [found] = accounts
  if (!found) throw new Error(`${handle} was not found`)
  return found
}

/** Waits for the status with this object id in the home timeline. */
export const atHome = async (me: Me, uri: string): Promise<Status> => {
  const look = async () => (await me.get<Status[]>('/api/v1/timelines/home')).find((found) => found.uri === uri)
  await eventually(look, (found) => expect(found?.uri).toBe(uri))
  return (await look()) as Status
}
