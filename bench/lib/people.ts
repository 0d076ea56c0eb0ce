/** People of a bench: made by the operator's command, acting over HTTP with kept connections. */
import type { Product } from '@murmuration/testkit'
import { Pool } from 'undici'

export interface Person {
  id: string
  username: string
  token: string
}

export interface People {
  make(username: string): Promise<Person>
  /** An API call as somebody; rejects on anything but 2xx. A server that is too busy is asked again, and the time counts. */
  as(
    person: Person | null,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<{ status: number; text: string }>
  close(): Promise<void>
}

/** A machine that others use at the same time makes the server shed load. */
const BUSY_MS = 100
const MOST_TRIES = 50

export const createPeople = (product: Product, connections = 64): People => {
  const pool = new Pool(product.origin, { connections, pipelining: 1 })
  const as: People['as'] = async (person, method, path, body) => {
    for (let tries = 1; ; tries++) {
      const answer = await pool.request({
        method,
        path,
        headers: {
          ...(person ? { authorization: `Bearer ${person.token}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.body.text()
      if (answer.statusCode < 300) return { status: answer.statusCode, text }
      const busy = answer.statusCode === 503 || (answer.statusCode === 504 && method === 'GET')
      if (!busy || tries === MOST_TRIES)
        throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 200)}`)
      await new Promise((resolve) => setTimeout(resolve, BUSY_MS))
    }
  }
  return {
    as,
    async make(username) {
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
