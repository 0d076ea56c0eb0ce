/** The product as real processes, for tests over HTTP, with accounts that the operator creates. */
import { randomUUID } from 'node:crypto'
import { createAccountByOperator, createTokenByOperator } from '@murmuration/contracts/accounts'
import { type Product, startProduct } from '@murmuration/testkit'
import { createRestAPIClient, type mastodon } from 'masto'
import { loadAll } from '../bin/services.js'

/** Services by process. One process less than `npm start`, so that tests start faster. */
export const TABLE = {
  edge: ['gateway', 'streaming'],
  core: ['accounts', 'statuses', 'notifications', 'admin'],
  work: ['federation', 'media'],
}

export interface TestUser {
  id: string
  username: string
  email: string
  password: string
  token: string
  api: mastodon.rest.Client
}

export const startWhole = async (options: Partial<Parameters<typeof startProduct>[0]> = {}): Promise<Product> => {
  const product = await startProduct({ apps: await loadAll(), table: TABLE, ...options })
  // Long, because starting the processes takes long on a machine that runs other tests.
  await product.ready().catch(async (late: unknown) => {
    await product.stop()
    throw late
  })
  return product
}

/** Creates an account with a token and an unmodified client library. */
export const createUser = async (
  product: Product,
  username: string,
  more: { scopes?: string; role?: string; origin?: string } = {},
): Promise<TestUser> => {
  const { role, scopes = 'read write follow push', origin = product.origin } = more
  const { id, email, password } = await product.call(createAccountByOperator, {
    username,
    email: `${username}@example.org`,
    confirmed: true,
    ...(role && { role }),
  })
  const { token } = await product.call(createTokenByOperator, { username, scopes })
  return {
    id,
    username,
    email,
    password: password ?? '',
    token,
    api: createRestAPIClient({ url: origin, accessToken: token }),
  }
}

/** Sends a request as this account without a library. Returns the response, also for refusals. */
export const requestAs = (product: Product, who: TestUser, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(product.origin + path, {
    ...init,
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json', ...init.headers },
  })

/** Posts a status as this account. A repeated call with the same idempotency key returns the same status. */
export const postAs = (
  product: Product,
  who: TestUser,
  status: object,
  key: string = randomUUID(),
): Promise<Response> =>
  requestAs(product, who, '/api/v1/statuses', {
    method: 'POST',
    headers: { 'idempotency-key': key },
    body: JSON.stringify(status),
  })
