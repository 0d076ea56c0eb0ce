/** The product as real processes for tests from outside, with accounts made by the operator. */
import { randomUUID } from 'node:crypto'
import { accountCreateByOperator, tokenCreateByOperator } from '@murmuration/contracts/accounts'
import { type Product, startProduct } from '@murmuration/testkit'
import { createRestAPIClient, type mastodon } from 'masto'
import { loadAll } from '../bin/services.js'

/** Services by process. `npm start` has one process more, which the tests do without to load faster. */
export const TABLE = {
  edge: ['gateway', 'streaming'],
  core: ['accounts', 'statuses', 'notifications', 'admin'],
  work: ['federation', 'media'],
}

export interface Person {
  id: string
  username: string
  email: string
  password: string
  token: string
  api: mastodon.rest.Client
}

export const startWhole = async (options: Partial<Parameters<typeof startProduct>[0]> = {}): Promise<Product> => {
  const product = await startProduct({ apps: await loadAll(), table: TABLE, ...options })
  // A machine that is busy with other tests takes its time to load six processes.
  await product.ready(150_000).catch(async (late: unknown) => {
    await product.stop()
    throw late
  })
  return product
}

/** A person with a token and an unmodified client library. */
export const makePerson = async (
  product: Product,
  username: string,
  more: { scopes?: string; role?: string; origin?: string } = {},
): Promise<Person> => {
  const { role, scopes = 'read write follow push', origin = product.origin } = more
  const { id, email, password } = await product.call(accountCreateByOperator, {
    username,
    email: `${username}@example.org`,
    confirmed: true,
    ...(role && { role }),
  })
  const { token } = await product.call(tokenCreateByOperator, { username, scopes })
  return {
    id,
    username,
    email,
    password: password ?? '',
    token,
    api: createRestAPIClient({ url: origin, accessToken: token }),
  }
}

/** Asks as this person with no library between: every answer comes back as it is. */
export const askAs = (product: Product, who: Person, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(product.origin + path, {
    ...init,
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json', ...init.headers },
  })

/** Posts as this person; with the same key again it is the same status. */
export const postAs = (product: Product, who: Person, status: object, key: string = randomUUID()): Promise<Response> =>
  askAs(product, who, '/api/v1/statuses', {
    method: 'POST',
    headers: { 'idempotency-key': key },
    body: JSON.stringify(status),
  })
