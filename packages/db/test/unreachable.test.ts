/** A database whose name, route or socket is missing. Its work fails as unavailable, and may be repeated. */
import dns from 'node:dns'
import { afterEach, expect, test, vi } from 'vitest'
import { openDatabase, sql } from '../src/index.js'

afterEach(() => {
  vi.restoreAllMocks()
})

const failuresOf = async (url: string) => {
  const db = openDatabase({ url, schema: 'public', connections: 1 })
  const work: Promise<unknown>[] = [
    db.row(sql`select 1`),
    db.run(sql`update t set a = 1`),
    db.tx((tx) => tx.row(sql`select 1`)),
  ]
  const failures = await Promise.all(work.map((one) => one.then(() => null).catch((error: unknown) => error)))
  await db.close()
  return failures
}
const unavailable = { code: 'unavailable', status: 503, extras: { retryAfter: 2 } }

test.each(['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN'])(
  'a connection that fails with %s is unavailable',
  async (code) => {
    vi.spyOn(dns, 'lookup').mockImplementation(((...given: unknown[]) => {
      const respond = given.at(-1) as (error: Error) => void
      process.nextTick(respond, Object.assign(new Error(`connect ${code}`), { code }))
    }) as never)
    expect(await failuresOf('postgres://nobody@database.invalid/none')).toMatchObject(Array(3).fill(unavailable))
    expect(dns.lookup).toHaveBeenCalled()
  },
)

test('a missing socket of the database is unavailable', async () => {
  expect(await failuresOf('postgres://nobody@%2Fmissing%2Ffolder/none')).toMatchObject(Array(3).fill(unavailable))
})
