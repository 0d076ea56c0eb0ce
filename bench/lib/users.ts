/** Creates the users of a scenario with `ctl`, and calls the API as these users over persistent connections. */
import type { Product } from '@murmuration/testkit'
import { Pool } from 'undici'

export interface User {
  id: string
  username: string
  token: string
}

export interface Users {
  create(username: string): Promise<User>
  /**
   * Calls the API as a user, or without a token for null. Rejects on any status except 2xx. Repeats a call that got 503, and a GET
   * that got 504. The caller measures the time of all repetitions.
   */
  as(
    user: User | null,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<{ status: number; text: string }>
  close(): Promise<void>
}

/**
 * Milliseconds before a call that got 503 or 504 is repeated. Such a response is no failure, because the server sheds
 * load if other programs use the machine.
 */
const BUSY_MS = 100
const MAX_TRIES = 50

export const createUsers = (product: Product, connections = 64): Users => {
  const pool = new Pool(product.origin, { connections, pipelining: 1 })
  const as: Users['as'] = async (user, method, path, body) => {
    for (let tries = 1; ; tries++) {
      const response = await pool.request({
        method,
        path,
        headers: {
          ...(user ? { authorization: `Bearer ${user.token}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.body.text()
      if (response.statusCode < 300) return { status: response.statusCode, text }
      const busy = response.statusCode === 503 || (response.statusCode === 504 && method === 'GET')
      if (!busy || tries === MAX_TRIES)
        throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 200)}`)
      await new Promise((resolve) => setTimeout(resolve, BUSY_MS))
    }
  }
  return {
    as,
    async create(username) {
      await product.ctl('account', 'create', username, '--email', `${username}@bench.example`, '--confirmed')
      const { token } = (await product.ctl('token', 'create', username, '--scopes', 'read write follow push')) as {
        token: string
      }
      const me = JSON.parse(
        (await as({ id: '', username, token }, 'GET', '/api/v1/accounts/verify_credentials')).text,
      ) as { id: string }
      return { id: me.id, username, token }
    },
    close: () => pool.close(),
  }
}
