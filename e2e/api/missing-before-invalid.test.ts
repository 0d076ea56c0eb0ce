/** Requests about objects that do not exist, with invalid values in all other parameters: the response is 404, as clients expect. */

import { createAccountByOperator, createTokenByOperator } from '@murmuration/contracts/accounts'
import type { AnyOperation, Route } from '@murmuration/contracts/kit'
import { routedOperations } from '@murmuration/contracts/registry'
import { mapLimited } from '@murmuration/flow'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAll } from '../../bin/services.js'

let cluster: Cluster
let bearer: string
beforeAll(async () => {
  cluster = await startCluster({ apps: await loadAll(), env: { RATE_LIMITS: 'off', MEDIA_FFMPEG: 'off' } })
  const owner = { username: 'owner', email: 'owner@mail.example', confirmed: true, role: 'Owner' }
  await cluster.call(createAccountByOperator, owner)
  const scopes = 'read write follow push profile admin:read admin:write'
  bearer = (await cluster.call(createTokenByOperator, { username: 'owner', scopes })).token
})
afterAll(() => cluster?.stop())

interface Asked {
  operation: AnyOperation
  route: Route
  name: string
}

/** Routes of the API with the id of an object in the path. Other servers must sign their requests before they learn what exists. */
const routes: Asked[] = routedOperations()
  .flatMap((operation) => operation.http.map((route) => ({ operation, route, name: `${route.method} ${route.path}` })))
  .filter(({ route }) => /^\/api\/.*:(\w+_)?id\b/.test(route.path))

/** Parameters that consist of objects. */
const OBJECTS = new Set(['keywords_attributes', 'media_attributes', 'poll'])

const namesOf = ({ operation, route }: Asked): string[] => {
  const names = 'shape' in operation.input ? Object.keys(operation.input.shape as object) : []
  return names.filter(
    (name) => !route.path.includes(`:${name}`) && !operation.files.includes(name) && !OBJECTS.has(name),
  )
}

/** An id below those of all rows, so that no row has it. */
const ABSENT = '7'

const statusOf = async (asked: Asked, value: unknown): Promise<number> => {
  const { route } = asked
  const path = route.path.replace(/:\w+/g, ABSENT)
  const names = namesOf(asked)
  const isQuery = ['GET', 'DELETE'].includes(route.method)
  const query = isQuery ? `?${new URLSearchParams(Object.fromEntries(names.map((name) => [name, String(value)])))}` : ''
  const response = await fetch(cluster.origin + path + query, {
    method: route.method,
    redirect: 'manual',
    headers: { authorization: `Bearer ${bearer}`, ...(isQuery ? {} : { 'content-type': 'application/json' }) },
    ...(isQuery ? {} : { body: JSON.stringify(Object.fromEntries(names.map((name) => [name, value]))) }),
  })
  await response.arrayBuffer()
  return response.status
}

/**
 * Routes with another status. The first two refuse invalid values before the object is read. Processes of an earlier release
 * would apply such values: an invalid `scheduled_at` publishes the announcement, and an invalid `which` ends all follows.
 */
const OTHERS: Readonly<Record<string, number>> = {
  'PATCH /api/murmuration/v1/admin/announcements/:id': 422,
  'PUT /api/murmuration/v1/admin/announcements/:id': 422,
  'POST /api/murmuration/v1/admin/accounts/:id/end_follows': 422,
  // Only operators may send `show`.
  'POST /api/murmuration/v1/admin/accounts/:id/reset_password': 403,
  // An account that is not suggested is no error.
  'DELETE /api/v1/suggestions/:account_id': 200,
}

test.each([['soon'], ['-1'], ['1.5'], [99_999_999_999_999], ['x'.repeat(40)]])(
  'a missing object is reported before the invalid value %s',
  async (value) => {
    const others: Record<string, number> = {}
    await mapLimited(routes, 8, async (route) => {
      const status = await statusOf(route, value)
      if (status !== 404) others[route.name] = status
    })
    expect(others).toEqual(OTHERS)
  },
)
