/** Verification of the audit log: every kind of tampering with its rows, concurrent writers, an empty log, and ten thousand entries. */
import { createUsernameBlockByOperator, verifyAuditLog } from '@murmuration/contracts/admin'
import { type Sql, sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuditRow, entryOf } from '../src/core/audit-log/rules.js'
import { insertAudit } from '../src/core/audit-log/store.js'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.cluster.stop())

const db = () => harness.cluster.db('admin')
type End = { seq: string; hash: string }
const verify = async (limit = 1_000): Promise<{ end: End; problem: { seq: string; reason: string } | null }> => {
  let after: End = { seq: '0', hash: '' }
  for (;;) {
    const { end, more, problem } = await harness.cluster.call(verifyAuditLog, { after, limit })
    if (problem || !more) return { end, problem }
    after = end
  }
}
const rowOf = (n: number): AuditRow => ({
  id: String(1_000_000 + n),
  actor_id: null,
  action: 'create_username_block',
  target_id: String(n),
  target: `target ${n}`,
  before: null,
  after: { n, text: '"\u2028 ä \\u0041', big: 1e21, small: 1e-7 },
  created_at: new Date(1_700_000_000_000 + n),
  reason: n % 2 ? 'because' : null,
  batch_id: n % 3 ? '5' : null,
  undoes: null,
})
const add = (from: number, count: number) =>
  db().tx((tx) =>
    insertAudit(
      tx as never,
      Array.from({ length: count }, (_, i) => rowOf(from + i)),
    ),
  )

/** Runs statements, verifies, and restores all rows. */
const tampered = async (...statements: Sql[]) => {
  const log = await db().rows<{ row: string }>(sql`select to_jsonb(audit_log)::text as row from audit_log order by seq`)
  const head = await db().row<{ seq: string; hash: Buffer }>(sql`select seq, hash from audit_head`)
  try {
    await statements.reduce((before, one) => before.then(() => db().run(one)), Promise.resolve(0))
    const { problem } = await verify(10)
    return problem && { seq: problem.seq, reason: problem.reason }
  } finally {
    await db().tx(async (tx) => {
      await tx.run(sql`delete from audit_log`)
      await tx.run(sql`insert into audit_log select (jsonb_populate_record(null::audit_log, one::jsonb)).*
        from unnest(${log.map(({ row }) => row)}::text[]) as given(one)`)
      await tx.run(sql`delete from audit_head`)
      await tx.run(
        sql`insert into audit_head (seq, hash) values (${head?.seq ?? '0'}, ${head?.hash ?? Buffer.alloc(0)})`,
      )
    })
  }
}

test('an empty log is intact', async () => {
  expect(await verify()).toEqual({ end: { seq: '0', hash: '' }, problem: null })
})

test('every kind of tampering is found', async () => {
  await add(0, 35)
  expect(await verify(10)).toMatchObject({ end: { seq: '35' }, problem: null })
  const changed = (set: Sql) => tampered(sql`update audit_log set ${set} where seq = 12`)
  for (const set of [
    sql`target = 'other'`,
    sql`actor_id = 7`,
    sql`reason = 'other'`,
    sql`reason = null, batch_id = 9`,
    sql`undoes = 3`,
    sql`after = '{"n":1}'`,
    sql`before = '{}'`,
    sql`created_at = created_at + interval '1 millisecond'`,
    sql`id = id + 500`,
    sql`action = 'destroy_username_block'`,
    sql`target_id = null`,
    sql`hash = sha256('x')`,
    sql`hash = null`,
    sql`entry = null`,
    sql`entry = '{}'`,
    sql`entry = 'nonsense'`,
  ])
    expect(await changed(set)).toEqual({ seq: '12', reason: 'changed' })
  expect(await tampered(sql`delete from audit_log where seq = 12`)).toEqual({ seq: '12', reason: 'missing' })
  expect(await tampered(sql`delete from audit_log where seq = 1`)).toEqual({ seq: '1', reason: 'missing' })
  expect(await tampered(sql`delete from audit_log where seq > 30`)).toEqual({ seq: '31', reason: 'cut' })
  expect(await tampered(sql`delete from audit_log`)).toEqual({ seq: '1', reason: 'cut' })
  expect(
    await tampered(
      sql`update audit_log set seq = -1 where seq = 5`,
      sql`update audit_log set seq = 5 where seq = 6`,
      sql`update audit_log set seq = 6 where seq = -1`,
    ),
  ).toEqual({ seq: '5', reason: 'changed' })
  expect(await tampered(sql`delete from audit_log where seq > 30`, sql`update audit_head set seq = 30`)).toEqual({
    seq: '31',
    reason: 'cut',
  })
})

test('entries that were added without the chain are found', async () => {
  const forged = rowOf(900)
  const insert = (seq: Sql, hash: Sql) => [
    sql`insert into audit_log (id, actor_id, action, target_id, target, after, created_at, reason, entry, seq, hash)
      values (${forged.id}, null, ${forged.action}, ${forged.target_id}, ${forged.target}, ${JSON.stringify(forged.after)}::jsonb,
        ${forged.created_at}, ${forged.reason}, ${entryOf(forged)}, 999, ${hash})`,
    sql`update audit_log set seq = ${seq} where seq = 999`,
  ]
  const head = sql`(select sha256(hash || convert_to(${entryOf(forged)}, 'UTF8')) from audit_head)`
  for (const [seq, hash, reason] of [
    [sql`null`, sql`null`, { seq: '0', reason: 'added' }],
    [sql`0`, sql`null`, { seq: '0', reason: 'added' }],
    [sql`-5`, sql`sha256('x')`, { seq: '0', reason: 'added' }],
    [sql`36`, sql`sha256('x')`, { seq: '36', reason: 'changed' }],
    [sql`36`, head, { seq: '36', reason: 'added' }],
    [sql`40`, head, { seq: '36', reason: 'missing' }],
  ] as const)
    expect(await tampered(...insert(seq, hash))).toEqual(reason)
  expect(
    await tampered(sql`update audit_log set seq = null where seq = 35`, sql`delete from audit_head`),
  ).not.toBeNull()
  expect(await tampered(sql`delete from audit_log where seq > 20`, sql`delete from audit_head`)).not.toBeNull()
})

test('the log is intact for a verifier while entries are added', async () => {
  let isDone = false
  const writers = Promise.all(
    Array.from({ length: 4 }, async (_, w) => {
      for (let n = 0; n < 25; n++)
        await harness.cluster.call(createUsernameBlockByOperator, { username: `name${w}x${n}` })
    }),
  ).finally(() => {
    isDone = true
  })
  let rounds = 0
  while (!isDone) {
    expect((await verify(50)).problem).toBeNull()
    rounds++
  }
  await writers
  expect(rounds).toBeGreaterThan(3)
  expect(await verify()).toMatchObject({ end: { seq: '135' }, problem: null })
})

test('ten thousand entries are verified', async () => {
  for (let n = 0; n < 10; n++) await add(10_000 + n * 1_000, 1_000)
  const began = performance.now()
  expect(await verify()).toMatchObject({ end: { seq: '10135' }, problem: null })
  expect(performance.now() - began).toBeLessThan(20_000)
})
